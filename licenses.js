import { readdir, readFile, writeFile } from "node:fs/promises";

/** Writes the licenses of all packages that a bundle holds code of; each of them asks for that. */
export async function writeLicenses(bundled, file) {
  const folders = new Set(bundled.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []));
  const entries = await Promise.all([...folders].sort().map(describePackage));
  await writeFile(file, `# Licenses of what is bundled here\n\n${entries.join("\n")}`);
}

const PACKAGE = /^.*node_modules\/(@[^/]+\/)?[^/]+\//;

async function describePackage(folder) {
  const { name, version, license } = JSON.parse(await readFile(`${folder}package.json`, "utf8"));
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`${folder} has no license file; a bundle cannot hold it`);
  return `## ${name} ${version} (${license})\n\n${(await readFile(`${folder}${file}`, "utf8")).trim()}\n`;
}
