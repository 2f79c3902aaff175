import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const PREFIX = "\0builtin:";

/**
 * Has a bundle take what it imports of Node's own modules from the modules themselves. `import { readFileSync } from "node:fs"`
 * makes Node read every name that the module has, and some of them load a part of Node when they are read: the streams of
 * node:fs, the Web Crypto of node:crypto.
 */
export function takeFromBuiltinModules() {
  return {
    name: "builtin-modules",
    resolveId: {
      order: "pre",
      handler(id, _importer, { kind }) {
        if (kind === "import-statement" && namesOf(id).length > 0) return { id: `${PREFIX}${id}`, moduleSideEffects: false };
        return undefined;
      },
    },
    load(id) {
      if (!id.startsWith(PREFIX)) return undefined;
      const name = id.slice(PREFIX.length);
      const exported = namesOf(name).map((key) => `export const ${key} = builtin.${key};`);
      return [`const builtin = /* @__PURE__ */ process.getBuiltinModule("${name}");`, ...exported].join("\n");
    },
  };
}

/** None where this Node has no such module. */
function namesOf(id) {
  if (!id.startsWith("node:")) return [];
  try {
    return Object.keys(require(id)).filter((key) => /^[a-z]\w*$/i.test(key) && key !== "default");
  } catch {
    return [];
  }
}
