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
  expect(printed()).toContain("\norder.airtime.id: $.reference or $.requestId\n");
  expect(printed()).toContain('\nThe application answered 200: {"status":"open"}\nstatus.json_path: $.status\n');
  expect({ exitCode, orders: (await sandbox.requests.list()).length }).toEqual({ exitCode: 0, orders: 1 });
});
