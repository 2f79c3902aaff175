// Prints a version's section of the changelog: `node scripts/release-notes.js 0.1.0`. The release workflow publishes it.
import { readFileSync } from "node:fs";

const [version = ""] = process.argv.slice(2);
const changelog = readFileSync(new URL("../CHANGELOG.md", import.meta.url), "utf8");
const section = changelog.split(/^## /m).find((text) => text.startsWith(`[${version}] - `));
if (version === "" || section === undefined) {
  console.error(`CHANGELOG.md has no section "## [${version}] - DATE"; move what is under Unreleased to it.`);
  process.exit(1);
}
console.log(section.slice(section.indexOf("\n")).trim());
