import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { openAuthority } from "../../src/tls/authority-folder.ts";
import { startProcess } from "../kill/sandbox-process.ts";
import { get } from "../support/control-call.ts";
import { freePorts } from "../support/free-ports.ts";
import { orderOnce } from "./load.ts";
import { startPostgres } from "./postgres.ts";

const ACCOUNTS = ["one", "two"];

test("replicas reach each other over HTTPS, if they trust the authority of their certificates", async () => {
  await using postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), "kredo-https-"));
  const { file } = await openAuthority(folder);
  const config = `accounts: [${ACCOUNTS.map((key) => `{ consumer_key: ${key}, consumer_secret: secret }`).join(", ")}]\n`;
  const start = async () => {
    const [port] = await freePorts(1);
    const words = [
      "--https-port",
      `${port}`,
      "--ca-folder",
      folder,
      "--replica-url",
      `https://127.0.0.1:${port}`,
      "--data",
      postgres.url(),
    ];
    return startProcess({
      command: inject("command"),
      folder,
      config,
      words,
      variables: { NODE_EXTRA_CA_CERTS: file },
    });
  };

  const replicas = [await start(), await start()];
  const asked = replicas.flatMap(({ url }) => ACCOUNTS.map((key) => ({ url, key })));
  const orders = await Promise.all(asked.map(({ url, key }) => orderOnce(url, key, { turn: 1, shillings: 10 })));
  const wallets = await Promise.all(
    asked.map(({ url, key }) => get<{ available: number }>(`${url}/__admin/accounts/${key}/wallet`)),
  );
  for (const replica of replicas) await replica.kill();
  rmSync(folder, { recursive: true });

  expect(orders.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(wallets.map(({ available }) => available)).toEqual([9_981, 9_981, 9_981, 9_981]);
});
