import { inventOrganization } from "../../gateway/adapters/random/organization.ts";
import APP_MAP_TEXT from "./files/kredo.app.yaml?raw";
import WORKFLOW from "./files/kredo.yml?raw";
import COMPOSE from "./files/compose.kredo.yaml?raw";
import CONFIG from "./files/kredo.config.yaml?raw";
import SCENARIO from "./files/weak-network.yaml?raw";

export const CONFIG_PATH = "kredo.config.yaml";
export const SCENARIO_PATH = "scenarios/weak-network.yaml";
export const COMPOSE_PATH = "compose.kredo.yaml";

const PLACEHOLDER = "IMAGE";

/** As in the config file. */
const SEED = 7;

/** Returns the app map that `kredo init --app` writes, for an application whose gateway is the sandbox. */
export function appMapText(baseUrl: string): string {
  return APP_MAP_TEXT.replace("BASE_URL", baseUrl);
}

/** Returns the files that `kredo init` writes, by their paths in the project's folder. */
export function initFiles(image: string): ReadonlyMap<string, string> {
  return new Map([
    [CONFIG_PATH, CONFIG.replace(" ORGANIZATION", exampleOrganization())],
    [SCENARIO_PATH, SCENARIO],
    [COMPOSE_PATH, COMPOSE.replaceAll(PLACEHOLDER, image)],
    [".github/workflows/kredo.yml", WORKFLOW.replaceAll(PLACEHOLDER, image)],
  ]);
}

/** Writes down what account-details would say under the file's seed. In quotes, because a telephone number would be read as a number. */
function exampleOrganization(): string {
  const organization = inventOrganization({ seed: SEED, consumer_key: "" });
  return Object.entries(organization)
    .map(([key, value]) => `\n      ${key}: ${JSON.stringify(value)}`)
    .join("");
}
