import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";

const NODE_MODULES = fileURLToPath(new URL("../../node_modules/", import.meta.url));

/** What the compiler says when each document of Kubernetes manifests is a value of its kind's type; nothing if all are right. */
export function typeProblems(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "kredo-manifests-"));
  const values = parseAllDocuments(text).map((document, index) => {
    const { apiVersion, kind } = document.toJS();
    const place = apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`;
    return `export const document${index}: import("kubernetes-types/${place}").${kind} = ${JSON.stringify(document)};`;
  });
  const paths = { "kubernetes-types/*": [`${NODE_MODULES}kubernetes-types/*`] };
  const options = { strict: true, noEmit: true, module: "preserve", types: [], skipLibCheck: true, paths };
  writeFileSync(join(folder, "documents.ts"), values.join("\n"));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["documents.ts"] }));
  try {
    return spawnSync(process.execPath, [`${NODE_MODULES}typescript/bin/tsc`, "-p", folder], { encoding: "utf8" })
      .stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
