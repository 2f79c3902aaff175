import { imageName, isPublished } from "../src/version.ts";

/** A release: where it is published, and its version. */
export interface Release {
  readonly repository: string;
  readonly version: string;
}

/** Replaces the names of the image, action and repository in a page or sample with this release's. */
export function withReleaseNames(text: string, { repository, version }: Release): string {
  return text
    .replaceAll(/(?<![\w./-])(?:ghcr\.io\/[\w./-]+|kredo):\d+\.\d+\.\d+/g, imageName(repository, version))
    .replaceAll(/[\w-]+\/kredo((?:\/[\w-]+)*)@v\d+\.\d+\.\d+/g, `${repository}$1@v${version}`)
    .replaceAll(/github\.com\/[\w-]+\/kredo\b/g, `github.com/${repository}`);
}

/** Adds the repository links to package.json, once the repository has an owner. */
export function withRepositoryLinks(packageJson: string, repository: string): string {
  const { repository: _1, homepage: _2, bugs: _3, license, ...others } = JSON.parse(packageJson);
  const { name, version, description, keywords, ...rest } = others;
  const home = `https://github.com/${repository}`;
  const links = {
    homepage: `${home}#readme`,
    bugs: `${home}/issues`,
    repository: { type: "git", url: `git+${home}.git` },
  };
  const written = { name, version, description, keywords, ...(isPublished(repository) && links), license, ...rest };
  return `${JSON.stringify(written, null, 2)}\n`;
}
