import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, inject, test } from "vitest";
import { folderIn, node, run } from "./run.ts";

const installed = inject("installed");

test("the example starts the mock alone, which answers curl, and ends when it is interrupted", async () => {
  const folder = folderIn(installed);
  cpSync(join(installed, "node_modules/kredo/examples/gateway"), folder, { recursive: true });
  const child = spawn(process.execPath, ["gateway.js"], {
    cwd: folder,
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [line] = await once(createInterface(child.stdout), "line");
  const url = String(line).replace("Gateway: ", "");

  const details = await run(folder, "curl", "-s", "-u", "shop:secret", `${url}/api/v2/account-details`);
  const order = '{"phone_number":"254712345678","amount":"100"}';
  const sold = await run(folder, "curl", "-s", "-u", "shop:secret", "--json", order, `${url}/api/v2/airtime`);
  const control = await fetch(`${url}/__admin/accounts`);
  child.kill("SIGINT");

  expect(JSON.parse(details)).toMatchObject({ organization: { details: { available_balance: 500 } } });
  expect(JSON.parse(sold)).toMatchObject({ status_code: 200, request_id: expect.any(String) });
  expect(control.status).toBe(404);
  expect(await ended).toEqual([0, null]);
});

test("kredo/gateway can be required from CommonJS", async () => {
  const program = `console.log(typeof require("kredo/gateway").startGateway);`;

  expect(await node(installed, "gateway.cjs", program)).toBe("function");
});
