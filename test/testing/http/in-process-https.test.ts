import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";

function statusOf(url: string, ca: string | undefined): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...(ca !== undefined && { ca }), agent: false }, (answer) => {
      resolve(answer.statusCode);
      answer.resume();
    });
    sent.on("error", reject).end();
  });
}

test("takes HTTPS too, and hands over the certificate to trust", async () => {
  await using sandbox = await createSandbox({ https: {} });

  const status = await statusOf(`${sandbox.https?.url}/readyz`, sandbox.https?.ca);

  expect(status).toBe(200);
  expect(sandbox.https?.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(sandbox.url).toMatch(/^http:/);
});

test("keeps the authority where it was told to", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kredo-https-"));

  await using sandbox = await createSandbox({ https: { ca_folder: folder } });

  expect(sandbox.https?.ca).toBe(readFileSync(join(folder, "kredo-ca.pem"), "utf8"));
});

test("says what is wrong with the place for it", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "kredo-https-")), "a-file");
  writeFileSync(file, "");

  await expect(createSandbox({ https: { ca_folder: join(file, "ca") } })).rejects.toThrow(
    "cannot be written (ENOTDIR)",
  );
});

test("has none unless it is asked for", async () => {
  await using sandbox = await createSandbox();

  expect(sandbox.https).toBeUndefined();
});
