import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes the licenses of all packages that a bundle holds code of; each of them asks for that. */
export async function writeLicenses(bundled, file) {
  const folders = new Set(bundled.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []));
  const entries = await Promise.all([...folders].sort((a, b) => a.localeCompare(b)).map(describePackage));
  await writeFile(file, `# Licenses of what is bundled here\n\n${entries.join("\n")}`);
}

const PACKAGE = /^.*node_modules\/(@[^/]+\/)?[^/]+\//;

async function describePackage(path) {
  const folder = join(import.meta.dirname, path);
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${folder} has no license file; a bundle cannot hold it`);
  return `## ${name} ${version} (${license})\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n`;
}
