import * as z from "zod";

/**
 * A key of a mapping that may be left out. Its schema is made when a document first has it: a file has a few keys of the many
 * that there are, and to make the schemas of all would cost a start as much as a bare server's.
 */
export function optionalKey<Schema extends z.ZodType>(about: string, schema: () => Schema): z.ZodExactOptional<z.ZodLazy<Schema>> {
  const key = z.lazy(() => schema().describe(about)).exactOptional();
  const { _zod: internals } = key;
  // Else zod asks the schema itself, which has no value for a missing key here.
  internals.optin = "optional";
  const read = internals.run.bind(internals);
  // zod reads a key that is not there as well, and drops what is wrong with it; one that is there as undefined is wrong.
  internals.run = (payload, context) => {
    if (payload.value !== undefined) return read(payload, context);
    payload.issues.push({ code: "invalid_type", expected: "nonoptional", input: undefined, inst: key });
    return payload;
  };
  return key;
}
