import { defineConfig } from "vite";

/** The dashboard; `node build.js` builds it into dist/dashboard. */
export default defineConfig({
  root: "src/dashboard",
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../../dist/dashboard",
    emptyOutDir: true,
    license: { fileName: "licenses.md" },
    target: "es2023",
    // An inlined asset is a data: URL, which the page's policy allows for images alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
  },
  // The dashboard on its own port while one works on it: `npx vite`, with a sandbox beside it.
  server: { proxy: { "/__admin": "http://127.0.0.1:8254", "/api": "http://127.0.0.1:8254" } },
});
