import { readFileSync } from "node:fs";

const { exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** The library's entry points that package.json exports, as paths below `src` and `dist/lib`, without their endings. */
export const LIBRARY_ENTRIES = Object.values(exports).flatMap(
  ({ types }) => types?.replace(/^\.\/dist\/lib\/(.+)\.d\.ts$/, "$1") ?? [],
);

/** Those that are also bundled for CommonJS. */
export const COMMONJS_ENTRIES = Object.values(exports).flatMap(
  ({ require }) => require?.default.replace(/^\.\/dist\/lib\/(.+)\.cjs$/, "$1") ?? [],
);
