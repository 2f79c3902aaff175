import { render } from "preact";
import { App, loadPanels } from "./app.tsx";
import { listenToKeys } from "./shell/keys.tsx";
import { rememberPreferences } from "./shell/preferences.tsx";
import { startStore } from "./store.ts";

rememberPreferences();
startStore();
listenToKeys();
render(<App />, document.body);
// A panel that could not be loaded says so when it is drawn.
loadPanels().catch(() => undefined);
