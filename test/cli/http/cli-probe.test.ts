import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { createSandbox } from "../../../src/index.ts";
import { recordingTerminal } from "../../support/system-terminal.ts";
import { startSmallShop } from "../../verdict/small-shop.ts";

test("init --app --probe places one order, and proposes the paths of its id and of its status", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, {
    map: {
      status: '{ request: { url: "{app}/orders/{id}" }, json_path: $.x, paid: paid, failed: failed, open: open }',
    },
  });
  const files = { read: () => ({ text: shop.appMap }) };
  const { terminal, printed } = recordingTerminal({ files, env: { KREDO_URL: sandbox.url } });

  const exitCode = await run(["init", "--app", "--probe"], terminal);

  expect(printed()).toMatch(/^The application answered 201: \{"reference":"kredo-/);
  expect(printed()).toContain("\norder.airtime.id: $.reference\n");
  expect(printed()).toContain('\nThe application answered 200: {"status":"open"}\nstatus.json_path: $.status\n');
  expect({ exitCode, orders: (await sandbox.requests.list()).length }).toEqual({ exitCode: 0, orders: 1 });
});

test("init --app --probe names the request that the application refuses, and is exit code 1", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, {});
  const files = { read: () => ({ text: shop.appMap.replace("{app}/orders", "{app}/nowhere") }) };
  const { terminal, printed } = recordingTerminal({ files, env: { KREDO_URL: sandbox.url } });

  const exitCode = await run(["init", "--app", "--probe"], terminal);

  expect(printed()).toMatch(
    /^The application answered 404[^\n]*\norder\.airtime\.request: correct it, and probe again\n$/,
  );
  expect({ exitCode, orders: (await sandbox.requests.list()).length }).toEqual({ exitCode: 1, orders: 0 });
});

test("init --app --probe names the status request that the application refuses, and is exit code 1", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, { status: () => ({ status: 503 }) });
  const files = { read: () => ({ text: shop.appMap }) };
  const { terminal, printed } = recordingTerminal({ files, env: { KREDO_URL: sandbox.url } });

  const exitCode = await run(["init", "--app", "--probe"], terminal);

  expect(printed()).toMatch(/\nThe application answered 503[^\n]*\nstatus\.request: correct it, and probe again\n$/);
  expect(exitCode).toBe(1);
});
