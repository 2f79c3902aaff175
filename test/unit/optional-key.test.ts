import { expect, test, vi } from "vitest";
import * as z from "zod";
import { explainIssues } from "../../src/document/explain-issues.ts";
import { optionalKey } from "../../src/document/optional-key.ts";

test("makes no schema for a key that a document does not have", () => {
  const makeText = vi.fn<() => z.ZodString>(() => z.string());
  const schema = z.strictObject({ port: z.number(), host: optionalKey("A host.", makeText) });

  const parsed = schema.parse({ port: 1 });

  expect(parsed).toEqual({ port: 1 });
  expect(makeText).not.toHaveBeenCalled();
});

test("makes the schema once, however often a key is there", () => {
  const makeText = vi.fn<() => z.ZodString>(() => z.string());
  const schema = z.array(z.strictObject({ host: optionalKey("A host.", makeText) }));

  const parsed = schema.parse([{ host: "a" }, { host: "b" }]);

  expect(parsed).toEqual([{ host: "a" }, { host: "b" }]);
  expect(makeText).toHaveBeenCalledOnce();
});

test.each([
  [{ host: 1 }, "1 is not text"],
  [{ host: null }, "has no value"],
  [{ host: undefined }, "is missing"],
])("refuses %j as any other key", (written, problem) => {
  const schema = z.strictObject({ host: optionalKey("A host.", () => z.string()) });

  const parsed = schema.safeParse(written, { reportInput: true });

  expect(explainIssues(parsed.error?.issues ?? [], schema)).toMatchObject([{ path: ["host"], problem }]);
});

test("tells editors what the key is for", () => {
  const schema = z.strictObject({ host: optionalKey("A host.", () => z.string()) });

  expect(z.toJSONSchema(schema)).toMatchObject({ properties: { host: { type: "string", description: "A host." } } });
});
