import { render } from "preact";
import { App } from "./app.tsx";
import { listenToKeys } from "./keys.ts";
import { startStore } from "./store.ts";

startStore();
listenToKeys();
render(<App />, document.body);
