import * as z from "zod";
import { readTraceparent } from "../../domain/traceparent.ts";

/** How a request came, in a journal that is imported. */
export const manner = z
  .looseObject({
    wallAt: z.number().optional(),
    isFirstOnConnection: z.literal(true).optional(),
    exposed: z.array(z.string()).optional(),
    loose: z.array(z.string()).optional(),
    // It may become a header of a callback.
    traceparent: z.custom<string>((value) => typeof value === "string" && readTraceparent(value) === value).optional(),
  })
  .optional();
