/** The package's version; a test holds it against package.json. */
export const VERSION = "0.1.0";

/**
 * The repository on GitHub that publishes releases. Fill in its owner before the first release and run `npm run generate`, which writes
 * what follows from it: the links in package.json, and the names of image and action in pages and samples.
 */
export const REPOSITORY = "your-organization/kredo";

/** The container image of this version, which `kredo init`, the samples and Testcontainers name. */
export const IMAGE = imageName(REPOSITORY, VERSION);

/** Whether the repository has an owner yet. */
export function isPublished(repository: string): boolean {
  return !repository.startsWith("your-organization/");
}

/** In GitHub's registry, in lower case as image names are; until there is an owner, what `docker build -t` makes in a clone. */
export function imageName(repository: string, version: string): string {
  return isPublished(repository) ? `ghcr.io/${repository.toLowerCase()}:${version}` : `kredo:${version}`;
}
