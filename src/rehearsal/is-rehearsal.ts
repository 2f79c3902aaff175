import { isMap } from "yaml";
import { keyText, readYaml } from "../document/yaml-source.ts";

/** Keys that a rehearsal has, and neither a scenario nor a config file. */
const OWN_KEYS = ["expect", "drive", "application"];

/** Whether a text is meant to be a rehearsal; it may be wrong for all that. */
export function isRehearsal(text: string): boolean {
  const { contents } = readYaml(text).document;
  return isMap(contents) && contents.items.some(({ key }) => OWN_KEYS.includes(keyText(key)));
}
