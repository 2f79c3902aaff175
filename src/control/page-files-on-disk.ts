import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { PACKAGE_FOLDER } from "../gateway/adapters/files/shipped-files.ts";

/** Files of the package, such as those of the built dashboard; empty if it has not been built. */
export interface PageFiles {
  /** Finds a file by its path in the page's folder: "index.html", "assets/main-x1.js". */
  find(path: string): PageFile | undefined;
}

export interface PageFile {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly mediaType: string;
  /** The content with gzip, if the build wrote it. */
  readonly gzip?: Uint8Array<ArrayBuffer>;
}

/** Serves the built dashboard from the package's folder. Each file is read on first use. */
export function pageFilesOnDisk(
  folder: URL | undefined = PACKAGE_FOLDER && new URL("dist/dashboard/", PACKAGE_FOLDER),
): PageFiles {
  const read = new Map<string, PageFile>();
  const list = () => new Set(folder !== undefined && existsSync(folder) ? listFiles(folder) : []);
  let names = list();
  return {
    find(path) {
      // A new build while the sandbox is running adds assets that freshly loaded pages request.
      if (!names.has(path)) names = list();
      if (!names.has(path)) return undefined;
      const file = read.get(path) ?? readPage(new URL(path, folder));
      read.set(path, file);
      return file;
    },
  };
}

/** Only listed files are served, so that no path leads out of the folder. */
function listFiles(folder: URL): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  return names.filter((name) => extname(name) in MEDIA_TYPES);
}

function readPage(file: URL): PageFile {
  const compressed = new URL(`${file.href}.gz`);
  return {
    ...(existsSync(compressed) && { gzip: new Uint8Array(readFileSync(compressed)) }),
    content: new Uint8Array(readFileSync(file)),
    mediaType: MEDIA_TYPES[extname(file.pathname)] ?? "application/octet-stream",
  };
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};
