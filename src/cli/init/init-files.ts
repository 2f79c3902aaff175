import APP_MAP_TEXT from "./files/kredo.app.yaml?raw";
import WORKFLOW from "./files/kredo.yml?raw";
import COMPOSE from "./files/compose.kredo.yaml?raw";
import CONFIG from "./files/kredo.config.yaml?raw";
import SCENARIO from "./files/weak-network.yaml?raw";

export const CONFIG_PATH = "kredo.config.yaml";
export const SCENARIO_PATH = "scenarios/weak-network.yaml";
export const COMPOSE_PATH = "compose.kredo.yaml";

const PLACEHOLDER = "IMAGE";

/** Returns the app map that `kredo init --app` writes, for an application whose gateway is the sandbox. */
export function appMapText(baseUrl: string): string {
  return APP_MAP_TEXT.replace("BASE_URL", baseUrl);
}

/** Returns the files that `kredo init` writes, by their paths in the project's folder. */
export function initFiles(image: string): ReadonlyMap<string, string> {
  return new Map([
    [CONFIG_PATH, CONFIG],
    [SCENARIO_PATH, SCENARIO],
    [COMPOSE_PATH, COMPOSE.replaceAll(PLACEHOLDER, image)],
    [".github/workflows/kredo.yml", WORKFLOW.replaceAll(PLACEHOLDER, image)],
  ]);
}
