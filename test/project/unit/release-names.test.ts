import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withPackageName, withRelease, withReleaseNames } from "../../../scripts/release-names.ts";
import { IMAGE, imageName, VERSION } from "../../../src/version.ts";

const PUBLISHED = { repository: "Duka-Moja/kredo", version: "1.2.3" };
const ROOT = new URL("../../../", import.meta.url);

test("the image is a local one until there is a repository, then that of GitHub's registry", () => {
  expect(imageName("", "0.1.0")).toBe("kredo:0.1.0");
  expect(imageName(PUBLISHED.repository, PUBLISHED.version)).toBe("ghcr.io/duka-moja/kredo:1.2.3");
});

test.each([
  ["docker build -t kredo:0.1.0 .", "docker build -t ghcr.io/duka-moja/kredo:1.2.3 ."],
  ["    image: kredo:0.1.0\n", "    image: ghcr.io/duka-moja/kredo:1.2.3\n"],
  ["`ghcr.io/other/kredo:0.1.0`", "`ghcr.io/duka-moja/kredo:1.2.3`"],
  ["uses: ./kredo", "uses: Duka-Moja/kredo@v1.2.3"],
  ["uses: ./kredo/action/stop", "uses: Duka-Moja/kredo/action/stop@v1.2.3"],
  ["uses: other/kredo/action/stop@v0.1.0", "uses: Duka-Moja/kredo/action/stop@v1.2.3"],
])("%j becomes %j once there is a repository", (text, expected) => {
  expect(withReleaseNames(text, PUBLISHED)).toBe(expected);
});

test.each(["kredo:sink", "http://kredo:8254/api/v2", "node_modules/kredo:1", "my-kredo:1.0.0"])(
  "%s is no image of a release",
  (text) => {
    expect(withReleaseNames(text, PUBLISHED)).toBe(text);
  },
);

test("package.json links to the repository once there is one, and to nothing before", () => {
  const before = JSON.stringify({ name: "before", license: "MIT", homepage: "https://example.com" });
  const named = { name: "kredo", version: "1.2.3" };

  expect(JSON.parse(withRelease(before, { ...named, repository: "" }))).toEqual({ ...named, license: "MIT" });
  expect(JSON.parse(withRelease(before, { ...named, repository: "duka/kredo" }))).toEqual({
    ...named,
    license: "MIT",
    repository: { type: "git", url: "git+https://github.com/duka/kredo.git" },
    homepage: "https://github.com/duka/kredo#readme",
    bugs: "https://github.com/duka/kredo/issues",
  });
});

test.each([
  ["npm install ../kredo-0.1.0.tgz", "npm install ../other-1.2.3.tgz"],
  ["cp -r node_modules/kredo/docs/start shop", "cp -r node_modules/other/docs/start shop"],
  ['import { test } from "kredo/vitest";', 'import { test } from "other/vitest";'],
  ['import { createSandbox } from "kredo";', 'import { createSandbox } from "other";'],
  ["node --import kredo/redirect client.js", "node --import other/redirect client.js"],
  ['"kredo": "^0.1.0"', '"other": "^0.1.0"'],
  ['npm install "kredo@$version"', 'npm install "other@$version"'],
  ["npx kredo serve > /tmp/kredo/log", "npx kredo serve > /tmp/kredo/log"],
])("%j becomes %j with another name of the package", (text, expected) => {
  expect(withPackageName(text, "kredo", { name: "other", version: "1.2.3" })).toBe(expected);
});

test("every docker command of a page names the image of this version", () => {
  const pages = [
    "README.md",
    ...readdirSync(new URL("docs/", ROOT), { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`),
  ];
  const commands = pages
    .filter((page) => page.endsWith(".md"))
    .flatMap((page) => readFileSync(new URL(page, ROOT), "utf8").match(/^docker (?:build|run) .*$/gm) ?? []);

  expect(commands.length).toBeGreaterThan(2);
  expect(commands.filter((command) => !command.includes(IMAGE))).toEqual([]);
  expect(IMAGE).toContain(VERSION);
});
