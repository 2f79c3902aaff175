import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** Writes scripts and styles compressed as well, for the server to send. */
const COMPRESSED: Plugin = {
  name: "compressed",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        const source = "code" in file ? file.code : file.source;
        if (/\.(?:js|css)$/.test(name))
          this.emitFile({ type: "asset", fileName: `${name}.gz`, source: gzipSync(source, { level: 9 }) });
      }
    },
  },
};

/** Builds the dashboard into dist/dashboard, as part of `npm run build`. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [COMPRESSED],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../../dist/dashboard",
    emptyOutDir: false,
    license: { fileName: "licenses.md" },
    target: "es2023",
    // The first versions with light-dark() and popovers.
    cssTarget: ["chrome123", "firefox125", "safari17.5"],
    // Inlined assets are data: URLs, which the page's CSP allows for images only.
    assetsInlineLimit: 0,
    // The icon has a fixed name, because /favicon.ico serves it.
    rolldownOptions: {
      output: { assetFileNames: ({ names }) => `assets/[name]${names.includes("icon.svg") ? "" : "-[hash]"}[extname]` },
    },
    modulePreload: { polyfill: false },
  },
  // For development: `npx vite src/dashboard` serves the dashboard, with a sandbox on its usual port.
  server: { proxy: { "/__admin": "http://127.0.0.1:8254", "/api": "http://127.0.0.1:8254" } },
});
