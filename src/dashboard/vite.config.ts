import { defineConfig } from "vite";

/** The dashboard; `npm run build` builds it into dist/dashboard. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../../dist/dashboard",
    emptyOutDir: false,
    license: { fileName: "licenses.md" },
    target: "es2023",
    // The first that know light-dark() and popovers.
    cssTarget: ["chrome123", "firefox125", "safari17.5"],
    // An inlined asset is a data: URL, which the page's policy allows for images alone.
    assetsInlineLimit: 0,
    // Its name is fixed, because /favicon.ico answers it.
    rolldownOptions: { output: { assetFileNames: ({ names }) => `assets/[name]${names.includes("icon.svg") ? "" : "-[hash]"}[extname]` } },
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
  },
  // For working on the dashboard: `npx vite src/dashboard` serves it, with a sandbox on its usual port.
  server: { proxy: { "/__admin": "http://127.0.0.1:8254", "/api": "http://127.0.0.1:8254" } },
});
