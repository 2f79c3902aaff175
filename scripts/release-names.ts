import { imageName } from "../src/version.ts";

/** A release: where it is published, and its version. */
export interface Release {
  readonly repository: string;
  readonly version: string;
}

/** Replaces the names of the image and the action in a page or sample with this release's; an action that is not published is in a clone. */
export function withReleaseNames(text: string, { repository, version }: Release): string {
  return text
    .replaceAll(/(?<![\w./-])(?:ghcr\.io\/[\w./-]+|kredo):\d+\.\d+\.\d+/g, imageName(repository, version))
    .replaceAll(/(?<=uses: )(?:\.|[\w-]+)\/kredo((?:\/[\w-]+)*)(?:@v\d+\.\d+\.\d+)?$/gm, (_, path) =>
      repository === "" ? `./kredo${path ?? ""}` : `${repository}${path ?? ""}@v${version}`,
    );
}

/** Adds the repository links to package.json, once there is one. */
export function withRepositoryLinks(packageJson: string, repository: string): string {
  const { repository: _1, homepage: _2, bugs: _3, license, ...others } = JSON.parse(packageJson);
  const { name, version, description, keywords, ...rest } = others;
  const home = `https://github.com/${repository}`;
  const links = {
    homepage: `${home}#readme`,
    bugs: `${home}/issues`,
    repository: { type: "git", url: `git+${home}.git` },
  };
  const written = { name, version, description, keywords, ...(repository !== "" && links), license, ...rest };
  return `${JSON.stringify(written, null, 2)}\n`;
}
