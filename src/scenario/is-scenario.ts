import { isMap } from "yaml";
import { keyText, type YamlSource } from "../document/yaml-source.ts";

/** Keys that a scenario has and a config file has not. */
const OWN_KEYS = ["version", "name", "rules", "setup", "timeline"];

/** Whether a document is meant to be a scenario, and not a config file; it may still be wrong. */
export function isScenario({ document: { contents } }: YamlSource): boolean {
  return isMap(contents) && contents.items.some(({ key }) => OWN_KEYS.includes(keyText(key)));
}
