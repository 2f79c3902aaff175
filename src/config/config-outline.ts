import type { Outline } from "../document/outline.ts";
import { outlineOf } from "../document/outline-of.ts";
import { type Config, configSchema } from "./config-schema.ts";
import { CONFIG_READERS } from "./readers.ts";

/** The config file's outline, which the build writes down. */
export function configOutline(): Outline<Config> {
  return outlineOf(configSchema, CONFIG_READERS);
}
