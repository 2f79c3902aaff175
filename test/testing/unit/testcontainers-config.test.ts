import { expect, test } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../../../src/config.ts";
import { parseDocument } from "../../../src/gateway/document/parse-document.ts";
import { writeConfig } from "../../../src/testing/testcontainers/container-config.ts";

test("leaves the text of a config as it is", () => {
  const text = "seed:   7 # mine\n";

  expect(writeConfig(text, [])).toEqual({ text });
});

test.each([
  "",
  "seed: 7",
  "accounts: []",
  "accounts: [{ consumer_key: first }]",
  { seed: 7 },
  { accounts: [{ consumer_key: "first" }] },
])("puts accounts behind those of %j", (config) => {
  const { text } = writeConfig(config, [{ consumer_key: "more" }]);

  expect(parse(text).accounts.at(-1)).toEqual({ consumer_key: "more" });
});

test("writes out an object that a config uses twice, because no document may have aliases", () => {
  const callbacks = { airtime: "https://shop.test/hook" };

  const { text } = writeConfig({ accounts: [{ callbacks }, { callbacks, consumer_key: "b" }] }, [
    { callbacks, consumer_key: "c" },
  ]);

  expect(parseDocument(text, configSchema, "kredo.config.yaml")).toHaveProperty("value");
});

test("keeps what the config says beside its accounts", () => {
  const { text } = writeConfig("# why\nseed: 7\naccounts:\n  - consumer_key: first\n", [{ consumer_key: "more" }]);

  expect(text).toBe("# why\nseed: 7\naccounts:\n  - consumer_key: first\n  - consumer_key: more\n");
});

test.each(["seed: [", "- seed: 7", "accounts: none"])("leaves it to the sandbox to refuse %j", (text) => {
  expect(writeConfig(text, [{ consumer_key: "more" }]).text).toBe(text);
});

test.each(["admin: { token: open-sesame }", { admin: { token: "open-sesame" } }])(
  "finds the token of the control API in %j",
  (config) => {
    expect(writeConfig(config, []).adminToken).toBe("open-sesame");
  },
);
