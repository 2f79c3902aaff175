/** The name of the package and of its image. `npm run generate` writes it and the version wherever files that users read have them. */
export const NAME: string = "kredo";

export const VERSION = "0.1.0";

/**
 * The repository on GitHub that publishes releases, as OWNER/NAME; empty until there is one. `npm run generate` writes what follows from
 * it: the links in package.json, and the names of image and action in pages and samples.
 */
export const REPOSITORY: string = "";

/** The container image of this version, which `kredo init`, the samples and Testcontainers name. */
export const IMAGE = imageName(REPOSITORY, VERSION);

/** In GitHub's registry, in lower case as image names are; until there is a repository, what `docker build -t` makes in a clone. */
export function imageName(repository: string, version: string): string {
  return repository !== "" ? `ghcr.io/${repository.toLowerCase()}:${version}` : `${NAME}:${version}`;
}
