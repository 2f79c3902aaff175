import { expect, test } from "vitest";
import { testedAccount } from "../../../src/cli/rehearsal/tested-account.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { createSandbox } from "../../../src/index.ts";
import type { TestedAccount } from "../../../src/verdict/trial/environment.ts";
import { recordingTerminal } from "../../support/system-terminal.ts";

function accountAt(url: string): TestedAccount {
  const target = { url, consumerKey: "key", consumerSecret: "secret", adminToken: undefined, account: "default" };
  return testedAccount({ target, terminal: recordingTerminal().terminal, isRaw: false });
}

test("a journal is the same object until something happens", async () => {
  await using sandbox = await createSandbox();
  const account = accountAt(sandbox.url);

  const [first, again] = [await account.journal(), await account.journal()];
  await account.topUp(cents(100));
  const later = await account.journal();

  const added = later.events.slice(first.events.length).map(({ kind }) => kind);
  expect({ isSame: again === first, added }).toEqual({ isSame: true, added: ["topped-up"] });
});
