import { expect, test } from "vitest";
import { forEachCarrier } from "../../../src/gateway/domain/carrier.ts";
import { kredo } from "../../support/kredo.ts";

test("measures and prices a plain message", async () => {
  const { exitCode, printed } = await kredo(["preview", "sms", "Total: {100} €"]);

  expect(exitCode).toBe(0);
  expect(printed).toBe(
    `encoding    GSM-7
characters  14
units       17 septets
parts       1
price       KES 0.80 with every carrier
`,
  );
});

test("says what forces UCS-2, where it first occurs, and what the plain spelling saves", async () => {
  const { printed } = await kredo(["preview", "sms", `${"a".repeat(70)}’ and ’ \u200b`]);

  expect(printed).toBe(
    `encoding    UCS-2
characters  79
units       79 UTF-16 units
parts       2
price       KES 1.60 with every carrier
not in the GSM alphabet, so the whole message is sent as UCS-2:
  ’ U+2019 2 times, first at 71: write "'"
  U+200B at 79: remove it
spelled like this, it is 1 part at KES 0.80 with every carrier
`,
  );
});

test("promises no saving where a character has no plain spelling", async () => {
  const { printed } = await kredo(["preview", "sms", "“Sawa” 👍"]);

  expect(printed).toContain('  “ U+201C at 1: write "\\""\n');
  expect(printed).toContain("  👍 U+1F44D at 8: no plain spelling\n");
  expect(printed).not.toContain("spelled like this");
});

test("takes prices and part sizes from the config", async () => {
  const config = 'ucs2_concatenated: 67\ncarriers: { airtel: { sms_price: "0.70" } }\n';

  const { printed } = await kredo(["preview", "sms", "ж".repeat(140), "--config", "prices.yaml"], {
    files: { "prices.yaml": config },
  });

  expect(printed).toContain("parts       3\nprice       safaricom KES 2.40, airtel KES 2.10, telkom KES 2.40");
});

test("--json prints the same for programs", async () => {
  const { printed } = await kredo(["preview", "sms", "a’", "--json"]);

  expect(JSON.parse(printed)).toEqual({
    encoding: "UCS-2",
    characters: 2,
    units: 2,
    parts: 1,
    price: forEachCarrier(() => 0.8),
    texts: ["a’"],
    costly: [{ character: "’", count: 1, positions: [1], cheaper: "'" }],
    cheaper: "a'",
  });
});

test("reads the text from standard input", async () => {
  const { printed } = await kredo(["preview", "sms", "-"], { stdin: "two\nlines\n" });

  expect(printed).toContain("characters  9\n");
});

test("a message that the gateway refuses for its length is exit code 1", async () => {
  const { exitCode, printed, complained } = await kredo(["preview", "sms", "a".repeat(161)], {
    files: { "kredo.config.yaml": "max_sms_parts: 1" },
  });

  expect(exitCode).toBe(1);
  expect(printed).toContain("parts       2\n");
  expect(complained).toBe("The gateway refuses it: 2 parts are more than max_sms_parts, 1.\n");
});

test.each([
  [[], "kredo preview: a command is missing; write kredo preview sms\n"],
  [["smss", "Habari"], "kredo preview: unknown command 'smss'; did you mean sms?\n"],
  [["airtime"], "kredo preview: unknown command 'airtime'; kredo preview --help lists the commands\n"],
  [["sms"], "kredo preview sms: missing required argument 'TEXT'; write kredo preview sms TEXT\n"],
  [["sms", ""], "TEXT is empty; the gateway refuses an empty SMS\n"],
  [
    ["sms", "a", "--config", "none.yaml"],
    '--config: "none.yaml" cannot be read (there is no such file); write the path of a config file\n',
  ],
])("preview %j is bad input", async (argv, line) => {
  const { exitCode, complained } = await kredo(["preview", ...argv]);

  expect({ exitCode, complained }).toEqual({ exitCode: 2, complained: line });
});
