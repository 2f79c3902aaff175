import { expect, test } from "vitest";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import { settingsInForce } from "../../../src/gateway/account/state.ts";
import { testControl } from "../../support/control.ts";
import { script } from "../../support/gateway/scripted.ts";

const CREDENTIALS = "/accounts/default/credentials";

test("replaces the secret with the given one, for good: also after a reset", async () => {
  const { call, account } = testControl();

  const rotated = await call("PUT", CREDENTIALS, { consumer_secret: "new-secret" });
  account.reset();
  const { body } = await call("GET", "/accounts/default");

  expect(rotated).toMatchObject({ status: 200, body: { consumer_key: "sandbox-key", consumer_secret: "new-secret" } });
  expect(body.consumer_secret).toBe("new-secret");
});

test.each([
  [1, true],
  [undefined, false],
])("generates a secret, and with a seed the same again: %j", async (seed, isSame) => {
  const controls = [testControl({ account: { seed } }), testControl({ account: { seed } })];

  const answers = await Promise.all(
    controls.flatMap(({ call }) => [call("PUT", CREDENTIALS), call("PUT", CREDENTIALS)]),
  );

  const secrets = answers.map(({ body }) => body.consumer_secret);
  expect(secrets).toEqual(secrets.map(() => expect.stringMatching(/^[0-9a-f]{32}$/)));
  expect(new Set(secrets).size).toBe(isSame ? 2 : 4);
});

test.each([{ consumer_secret: "" }, { consumer_secret: "hush\n" }, { consumer_secret: ["hush"] }, { secret: "hush" }])(
  "refuses %j without quoting it, and changes nothing",
  async (body) => {
    const { call, account } = testControl();

    const answer = await call("PUT", CREDENTIALS, body);

    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).not.toContain("hush");
    expect(account.journal.version).toBe(1);
  },
);

test.each(["credentials: revoked", "credentials: { secret: by-scenario }"])(
  "takes precedence over what a scenario has done so far, and not over what it does later: %s",
  async (action) => {
    const { call, account } = testControl();
    await script(account, `timeline: [{ at: 0s, every: 1m, do: { ${action} } }]`);
    const inForce = (): unknown[] => {
      const { consumer_secret: secret, revokedBy } = settingsInForce(account.state);
      return [secret, revokedBy];
    };
    const before = inForce();

    await call("PUT", CREDENTIALS, { consumer_secret: "by-hand" });
    const rotated = inForce();
    await account.advance({ by: 60_000 }, 0);
    const later = inForce();
    await call("DELETE", "/accounts/default/scenarios");

    expect(rotated).toEqual(["by-hand", undefined]);
    expect(later).toEqual([before[0] === "sandbox-secret" ? "by-hand" : before[0], before[1]]);
    expect(inForce()).toEqual(["by-hand", undefined]);
  },
);

test("an imported journal with a rotation leaves the account its own secret", async () => {
  const { call, account } = testControl();
  await call("PUT", CREDENTIALS, { consumer_secret: "exported" });
  const { body } = await call("GET", "/accounts/default/export");
  await call("PUT", CREDENTIALS, { consumer_secret: "own" });

  const imported = await call("PUT", "/accounts/default/import", body);

  expect(body.events.at(-1)).toMatchObject({ kind: "credentials-changed", consumer_secret: "exported" });
  expect(imported.body.consumer_secret).toBe("own");
  expect(foldJournal(account.journal.read().events)?.settings.consumer_secret).toBe("own");
});

test("names no secret in the list of a scenario's steps", async () => {
  const { call, account } = testControl();
  await script(account, "timeline: [{ at: 5s, do: { credentials: { secret: hush-hush } } }]");

  const { body } = await call("GET", "/accounts/default/scenarios");

  expect(body.items[0].timeline).toMatchObject([{ action: "credentials: { secret: •••••• }", is: "to come" }]);
  expect(JSON.stringify(body)).not.toContain("hush-hush");
});
