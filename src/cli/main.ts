#!/usr/bin/env node

/** The kredo command. */

import "../node-version.js";
import module from "node:module";

// Node 22.8 and newer cache the compiled code of everything imported after this.
if ("enableCompileCache" in module && typeof module.enableCompileCache === "function") module.enableCompileCache();
const { runProcess } = await import("./run.ts");
await runProcess();
