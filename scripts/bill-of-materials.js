// Prints the packed package's bill of materials (SPDX): Kredo, and the packages that its bundles contain.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const bundled = new Set(["dist/licenses.md", "dist/dashboard/licenses.md"].flatMap(packagesIn));
const all = JSON.parse(
  execFileSync("npm", ["sbom", "--sbom-format=spdx", "--package-lock-only"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 25,
  }),
);
const [kredo, ...others] = all.packages;
const contained = others.filter(({ name, versionInfo }) => bundled.has(`${name} ${versionInfo}`));
const relationships = contained.map(({ SPDXID }) => ({
  spdxElementId: kredo.SPDXID,
  relatedSpdxElement: SPDXID,
  relationshipType: "CONTAINS",
}));
const described = all.relationships.filter(({ relationshipType }) => relationshipType === "DESCRIBES");
console.log(
  JSON.stringify({ ...all, packages: [kredo, ...contained], relationships: [...described, ...relationships] }, null, 2),
);

/** Returns each package with its version, which stands in a heading as "hono - 4.13.19 (MIT)". */
function packagesIn(licenses) {
  const text = readFileSync(join(root, licenses), "utf8");
  return [...text.matchAll(/^## (\S+) - (\S+) /gm)].map(([, name, version]) => `${name} ${version}`);
}
