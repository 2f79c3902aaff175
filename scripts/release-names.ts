import { imageName, NAME } from "../src/version.ts";

/** A release: where it is published, and its version. */
export interface Release {
  readonly repository: string;
  readonly version: string;
  /** The name that a local image has so far. */
  readonly before?: string;
}

/** Replaces the names of the image and the action in a page or sample with this release's; an action that is not published is in a clone. */
export function withReleaseNames(text: string, { repository, version, before = NAME }: Release): string {
  return text
    .replaceAll(
      new RegExp(String.raw`(?<![\w./-])(?:ghcr\.io\/[\w./-]+|${before}):\d+\.\d+\.\d+`, "g"),
      imageName(repository, version),
    )
    .replaceAll(/(?<=uses: )(?:\.|[\w-]+)\/kredo((?:\/[\w-]+)*)(?:@v\d+\.\d+\.\d+)?$/gm, (_, path) =>
      repository === "" ? `./kredo${path ?? ""}` : `${repository}${path ?? ""}@v${version}`,
    );
}

/** Replaces the package's name, and the version in that of its packed file: where it is installed, imported, and needed. */
export function withPackageName(
  text: string,
  before: string,
  { name, version }: { name: string; version: string },
): string {
  const place = String.raw`(?<=node_modules\/)${before}(?=\/)|(?<=from "|import\(")${before}(?=")|(?<=")${before}(?=": "\^|@\$version")`;
  const entry = String.raw`(?<=["'\x60 ])${before}(?=\/(?:gateway|jest|playwright|redirect|testcontainers|vitest)\b)`;
  return text
    .replaceAll(new RegExp(String.raw`(?<=[ /\x60])${before}-\d+\.\d+\.\d+\.tgz`, "g"), `${name}-${version}.tgz`)
    .replaceAll(new RegExp(`${place}|${entry}`, "g"), name);
}

/** Writes name and version into package.json, and the repository links, once there is one. */
export function withRelease(packageJson: string, { repository, ...named }: Release & { name: string }): string {
  const { repository: _1, homepage: _2, bugs: _3, license, ...others } = JSON.parse(packageJson);
  const { name, version, description, keywords, ...rest } = { ...others, ...named };
  const home = `https://github.com/${repository}`;
  const links = {
    homepage: `${home}#readme`,
    bugs: `${home}/issues`,
    repository: { type: "git", url: `git+${home}.git` },
  };
  const written = { name, version, description, keywords, ...(repository !== "" && links), license, ...rest };
  return `${JSON.stringify(written, null, 2)}\n`;
}
