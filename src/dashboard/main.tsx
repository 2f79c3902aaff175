/**
 * The page on which people watch and drive a sandbox. It runs in a browser, and may import control's client, the shapes of verdicts, what
 * is pure in the gateway, and the version.
 */

import { render } from "preact";
import { App } from "./app.tsx";
import { listenToKeys } from "./base/keys.ts";
import { rememberPreferences } from "./header/settings.tsx";
import { startStore } from "./live/store.ts";

rememberPreferences();
startStore();
listenToKeys();
render(<App />, document.body);
