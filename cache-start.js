import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseAst } from "vite";
import { inAscii } from "./ascii-start.js";

/**
 * Writes the start as a script, with what V8 makes of it when it runs, for the Node that builds: reading and compiling the start
 * takes a bare server's start again, and Node 20 keeps that of scripts alone. Any other Node finds nothing kept for it and compiles.
 */
export async function cacheStart({ fileName, code }, dist) {
  const name = fileName.replace(/\.js$/, "");
  const { body, exported } = asScript(code);
  await writeFile(new URL(`${name}.body.js`, dist), body);
  await writeFile(new URL(fileName, dist), moduleFor(name, exported));
  const warming = [fileURLToPath(new URL("warm-start.js", import.meta.url)), fileURLToPath(dist), name];
  await promisify(execFile)(process.execPath, warming, { env: withoutSettings(process.env), timeout: 60_000 }).catch((error) =>
    console.warn(`The start is compiled each time, because it could not be tried: ${error.message}`),
  );
}

/** Ours would be obeyed, and what is kept under other flags of V8 is not taken. */
function withoutSettings(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(KREDO_|PORT$|NODE_OPTIONS$)/.test(name)));
}

/** A module without imports as a function of what only a module has, and the names it exports, in the order of what it returns. */
function asScript(code) {
  // The module below reads it a byte a character.
  const source = inAscii(code);
  const { body } = parseAst(source);
  const exports = body.at(-1);
  if (exports?.type !== "ExportNamedDeclaration" || body.some(({ type }) => type === "ImportDeclaration"))
    throw new Error("the start is one module that imports nothing and ends with its exports");
  const names = exports.specifiers.map(({ local, exported }) => ({ local: local.name, exported: exported.name }));
  const inside = body
    .slice(0, -1)
    .flatMap(ofModules)
    .toSorted((left, right) => right.start - left.start);
  const plain = inside.reduce(
    (text, { start, end, meant }) => text.slice(0, start) + meant + text.slice(end),
    source.slice(0, exports.start),
  );
  return {
    body: `"use strict"; (function (importMeta, importModule) {${plain}return [${names.map(({ local }) => local).join(", ")}];\n})`,
    exported: names.map(({ exported }) => exported),
  };
}

/** Where `import()` and `import.meta` stand, which a script has not. */
function ofModules(node) {
  if (node.type === "MetaProperty" && node.meta.name === "import") return [{ start: node.start, end: node.end, meant: "importMeta" }];
  const here = node.type === "ImportExpression" ? [{ start: node.start, end: node.start + "import".length, meant: "importModule" }] : [];
  const below = Object.values(node)
    .flat()
    .filter((value) => typeof value?.type === "string");
  return [...here, ...below.flatMap(ofModules)];
}

/** Node's own modules by hand: as imports they would be read name by name (builtin-modules.js). */
function moduleFor(name, exported) {
  const locals = exported.map((_, index) => `$${index}`);
  return `const { existsSync, readFileSync } = process.getBuiltinModule("node:fs");
const { Script } = process.getBuiltinModule("node:vm");
const { fileURLToPath } = process.getBuiltinModule("node:url");
const body = new URL("${name}.body.js", import.meta.url);
export const kept = new URL(\`${name}.\${process.version}-\${process.platform}-\${process.arch}.cache\`, import.meta.url);
const cachedData = existsSync(kept) ? readFileSync(kept) : undefined;
export const script = new Script(readFileSync(body, "latin1"), { filename: fileURLToPath(body), cachedData });
const [${locals.join(", ")}] = script.runInThisContext()(import.meta, (name) => import(name));
export { ${exported.map((exportedAs, index) => `${locals[index]} as ${exportedAs}`).join(", ")} };
`;
}
