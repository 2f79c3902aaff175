#!/usr/bin/env node
import module from "node:module";

// Node 22.8 and newer keep compiled code between starts, of what is imported from here on.
if ("enableCompileCache" in module && typeof module.enableCompileCache === "function") module.enableCompileCache();
const { runProcess } = await import("./run-process.ts");
await runProcess();
