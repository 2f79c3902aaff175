import * as fc from "fast-check";
import { expect, test } from "vitest";
import { writeYaml } from "../../../src/gateway/document/write-yaml.ts";
import { configSchema } from "../../../src/config.ts";
import { parseDocument } from "../../../src/gateway/document/parse-document.ts";
import { writtenConfig } from "../../support/config-arbitrary.ts";

test("a config survives being written as YAML or as JSON and read again", () => {
  fc.assert(
    fc.property(writtenConfig, (written) => {
      const value = configSchema.parse(written);

      expect(parseDocument(writeYaml(written), configSchema, "kredo.config.yaml")).toEqual({ value });
      expect(parseDocument(JSON.stringify(written, null, "\t"), configSchema, "kredo.config.json")).toEqual({
        value,
      });
    }),
  );
});

test("every config gives the default account and keeps the amounts it is given", () => {
  fc.assert(
    fc.property(writtenConfig, (written) => {
      const { accounts } = configSchema.parse(written);

      expect(accounts[0].consumer_key).toBe(written.accounts?.[0]?.consumer_key ?? "sandbox-key");
      expect(accounts.slice(0, written.accounts?.length).map(({ balance }) => (balance / 100).toFixed(2))).toEqual(
        written.accounts?.map(({ balance = "10000.00" }) => balance) ?? ["10000.00"],
      );
    }),
  );
});

test("whatever the text, reading ends with a value or with problems inside the text", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc
          .array(
            fc.constantFrom(
              "a: ",
              "- ",
              "port",
              ": ",
              "\n",
              "  ",
              "{",
              "}",
              "[",
              "]",
              "&a ",
              "*a",
              '"',
              "'",
              "|",
              "1",
              "\t",
              "#",
              "---\n",
              "!x ",
              "? ",
              ",",
            ),
          )
          .map((parts) => parts.join("")),
      ),
      (text) => {
        const parsed = parseDocument(text, configSchema, "kredo.config.yaml");

        const places = "problems" in parsed ? parsed.problems.map(({ line, column }) => ({ line, column })) : [];
        expect("value" in parsed || places.length > 0).toBe(true);
        expect(places.filter(({ line, column }) => line < 1 || column < 1 || line > text.split("\n").length)).toEqual(
          [],
        );
      },
    ),
    { numRuns: 1_000 },
  );
});
