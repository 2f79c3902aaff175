import * as z from "zod";
import { mockSettings, mockShape } from "../../../src/gateway/settings/mock.ts";

/** The keys of a config file that concern the mock alone. */
export const mockSchema = z.strictObject(mockShape).transform(mockSettings);
