import { existsSync } from "node:fs";

/**
 * The folder of this package, with a slash at its end. This code runs as src/adapters, as a file of dist, and as
 * dist/lib/adapters: the package is the nearest folder with a package.json.
 */
export const PACKAGE_FOLDER = findPackage(import.meta.url);

function findPackage(from: string): URL | undefined {
  const here = new URL(".", from);
  if (existsSync(new URL("package.json", here))) return here;
  const parent = new URL("..", from);
  return parent.href === here.href ? undefined : findPackage(parent.href);
}
