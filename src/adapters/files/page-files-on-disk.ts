import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import type { PageFile, PageFiles } from "../../ports/files.ts";
import { PACKAGE_FOLDER } from "./shipped-files.ts";

/** Reads the built dashboard from the package's folder, each file when it is first asked for. */
export function pageFilesOnDisk(folder: URL | undefined = PACKAGE_FOLDER && new URL("dist/dashboard/", PACKAGE_FOLDER)): PageFiles {
  const read = new Map<string, PageFile>();
  const list = () => new Set(folder !== undefined && existsSync(folder) ? listFiles(folder) : []);
  let names = list();
  return {
    find(path) {
      // A build under the running sandbox adds assets that a page loaded since then asks for.
      if (!names.has(path)) names = list();
      if (!names.has(path)) return undefined;
      const file = read.get(path) ?? readPage(new URL(path, folder));
      read.set(path, file);
      return file;
    },
  };
}

/** Only what is listed is served, so that no path leads out of the folder. */
function listFiles(folder: URL): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  return names.filter((name) => extname(name) in MEDIA_TYPES);
}

function readPage(file: URL): PageFile {
  return { content: new Uint8Array(readFileSync(file)), mediaType: MEDIA_TYPES[extname(file.pathname)] ?? "application/octet-stream" };
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};
