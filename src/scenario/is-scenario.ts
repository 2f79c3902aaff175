import { isMap } from "yaml";
import { keyText, readYaml } from "../document/yaml-source.ts";

/** Keys that a scenario has and a config file has not. */
const OWN_KEYS = ["version", "name", "rules", "setup", "timeline"];

/** Whether a text is meant to be a scenario, and not a config file; it may be wrong for all that. */
export function isScenario(text: string): boolean {
  const { contents } = readYaml(text).document;
  return isMap(contents) && contents.items.some(({ key }) => OWN_KEYS.includes(keyText(key)));
}
