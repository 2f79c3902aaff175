import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestProject } from "vitest/node";
import * as z from "zod";
import { copyTree, ROOT } from "../support/copy-tree.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A project with the package alone. */
    installed: string;
    /** The same, and what the optional doors and a TypeScript project need beside it. */
    installedWithPeers: string;
    /** The folder in which the package was built and packed. */
    tree: string;
    packed: { readonly files: readonly string[]; readonly unpackedSize: number; readonly size: number };
    /** The packed file. */
    tarball: string;
  }
}

/** Packs the package and installs it in an empty folder, once for all tests here. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "kredo-package-"));
  const tree = join(folder, "tree");
  copyTree(tree);
  const { filename, files, ...sizes } = pack(tree, folder);
  const installed = install(join(folder, "alone"), join(folder, filename));
  project.provide("installed", installed);
  project.provide("installedWithPeers", addPeers(installed, join(folder, "with-peers")));
  project.provide("tree", tree);
  project.provide("tarball", join(folder, filename));
  project.provide("packed", { files: files.map(({ path }) => path), ...sizes });
  return () => rmSync(folder, { recursive: true, force: true });
}

const packedShape = z.object({
  filename: z.string(),
  files: z.array(z.object({ path: z.string() })),
  unpackedSize: z.int(),
  size: z.int(),
});

/** Packs a tree into a folder. Before npm's answer stands what the scripts said. */
export function pack(tree: string, folder: string): z.output<typeof packedShape> {
  const printed = npm(tree, "pack", "--json", "--foreground-scripts=false", `--pack-destination=${folder}`);
  const answer: unknown = JSON.parse(printed.slice(printed.search(/^[[{]/m)));
  const [packed] = Object.values(z.union([z.array(packedShape), z.record(z.string(), packedShape)]).parse(answer));
  if (packed === undefined) throw new Error(`npm packed nothing:\n${printed}`);
  return packed;
}

function install(folder: string, tarball: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", tarball);
  return folder;
}

/** The peers as this repository has them. */
function addPeers(installed: string, folder: string): string {
  cpSync(installed, folder, { recursive: true });
  for (const name of ["testcontainers", "vitest", "@playwright/test", "@types/node", "@types/dockerode", "@types/ssh2"])
    link(name, folder);
  return folder;
}

function link(name: string, folder: string): void {
  const place = join(folder, "node_modules", name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(ROOT, "node_modules", name), place);
}

function npm(cwd: string, ...words: string[]): string {
  return execFileSync("npm", words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}
