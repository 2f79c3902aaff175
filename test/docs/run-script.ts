import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { type Block, ROOT } from "./read-page.ts";
import type { PageEnvironment } from "./page-environment.ts";

const PROJECT = fileURLToPath(ROOT);

/** Checks the types of a snippet as a project that installed the package would, and runs it in the page's folder. */
export async function runScript({ text, language, line }: Block, environment: PageEnvironment): Promise<void> {
  const name = `snippet-${line}`;
  const written = environment.here(text);
  writeFileSync(join(environment.folder, `${name}.${language}`), `${written}\nexport {};\n`);
  writeFileSync(
    join(environment.folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: OPTIONS, files: [`${name}.${language}`] }),
  );
  useTypes(environment.folder);
  const checked = await environment.run(
    `node "${join(PROJECT, "node_modules/typescript/bin/tsc")}" --singleThreaded -p tsconfig.json`,
  );
  if (checked.code !== 0) throw new Error(checked.printed);
  writeFileSync(
    join(environment.folder, `${name}.mjs`),
    language === "js" ? written : await withoutTypes(join(environment.folder, `${name}.${language}`)),
  );
  const ran = await environment.run(`node ${name}.mjs`);
  if (ran.code !== 0) throw new Error(ran.printed);
}

/** What it imports stays an import; Node 20 has no `await using`. */
async function withoutTypes(input: string): Promise<string> {
  const external = (imported: string): boolean => imported !== input && !imported.startsWith("@oxc-project/runtime");
  const { output } = await build({ input, external, write: false, platform: "node", transform: { target: "node20" } });
  return output[0].code;
}

const OPTIONS = {
  target: "es2023",
  lib: ["es2023", "esnext.disposable"],
  module: "nodenext",
  types: ["node"],
  strict: true,
  noEmit: true,
  allowJs: true,
  checkJs: true,
  // Those of Node take most of the time.
  skipLibCheck: true,
};

function useTypes(folder: string): void {
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  try {
    symlinkSync(join(PROJECT, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
  } catch {
    // It is there already.
  }
}
