import { isMap } from "yaml";
import * as z from "zod";
import { unknownPlaceholders } from "../application/placeholders.ts";
import { applicationValue, isUrl } from "../application/request.ts";
import { fileJsonSchema } from "../../gateway/document/json-schema.ts";
import { parseSource } from "../../gateway/document/parse-document.ts";
import type { Problem } from "../../gateway/document/problem.ts";
import { carrierValue, complain, phoneNumberKey, textThat } from "../../gateway/document/values.ts";
import { keyText, readYaml, type YamlSource } from "../../gateway/document/yaml-source.ts";
import { SINK_URL } from "../../gateway/domain/callback-outcome.ts";
import { type Scenario, scenarioSchema } from "../../gateway/scenario/schema.ts";
import { shillingsValue } from "../../gateway/scenario/values.ts";
import { rateLimitValue, senderIdsValue } from "../../gateway/settings/account.ts";
import { clockValue } from "../../gateway/settings/clock.ts";
import { type Expectation, expectationValue } from "./check-schema.ts";
import { type Step, stepValue } from "./step-schema.ts";

const nameValue = textThat((text) => /^[A-Za-z0-9][\w.-]{0,63}$/.test(text), {
  what: "a rehearsal's name",
  repair: "write letters, digits, dots and dashes, like lost-acknowledgment",
});

const callbackValue = textThat((text) => text === SINK_URL || isUrl(text), {
  what: "a URL",
  repair: `write {app} and a path, like {app}/hooks/airtime, or http:// or https:// and a host, or ${SINK_URL}`,
});

const accountValue = z.strictObject({
  wallet: z
    .strictObject({ balance: shillingsValue.describe("KES available at the start.") })
    .describe("The wallet.")
    .exactOptional(),
  sender_ids: senderIdsValue
    .describe("Registered sender IDs, instead of the account's own: each a string, or a mapping with its carriers.")
    .exactOptional(),
  callbacks: z
    .strictObject({
      airtime: callbackValue.describe(`URL for airtime results: {app}/hooks/airtime, or ${SINK_URL}.`).exactOptional(),
      sms: callbackValue.describe(`URL for delivery reports: {app}/hooks/sms, or ${SINK_URL}.`).exactOptional(),
    })
    .describe("Callback URLs, instead of the account's own.")
    .exactOptional(),
  numbers: z
    .strictObject({
      ported: z
        .record(phoneNumberKey, carrierValue)
        .describe('The carrier that serves a number, regardless of its prefix: { "254722000111": airtel }.')
        .exactOptional(),
    })
    .describe("Phone numbers.")
    .exactOptional(),
  rate_limit: rateLimitValue.describe("Requests allowed per period.").exactOptional(),
});

/** Changes to the account before the first step. */
export type AccountUnderTest = z.output<typeof accountValue>;

const referenceValue = textThat((text) => text.trim() !== "", {
  what: "a scenario",
  repair: "write its name, or the path of its file",
});

const scenarioValue = z.union([referenceValue, scenarioSchema]);

/** A rehearsal file. */
const rehearsalSchema = z
  .strictObject({
    $schema: z.string().describe("For editors; Kredo does not read it.").exactOptional(),
    version: z.literal(1).describe("The version of this format: 1."),
    name: nameValue.describe("Its name in commands and reports."),
    description: z.string().describe("What it simulates, in a sentence or two.").exactOptional(),
    application: applicationValue
      .describe("The application's address, for {app}; --app and KREDO_APP override it.")
      .exactOptional(),
    clock: clockValue
      .describe(
        "The account's clock: real, manual, or x and a speed. The application's own timers do not follow it. Default real.",
      )
      .prefault("real"),
    seed: z
      .int()
      .min(0)
      .describe("The account's seed; --seed overrides it. Default: a new seed for each run.")
      .exactOptional(),
    account: accountValue.describe("Changes to the account before the first step.").prefault({}),
    scenario: z
      .union([scenarioValue.transform((one) => [one]), z.array(scenarioValue)])
      .describe(
        "What goes wrong: the name of a shipped scenario, a path relative to this file's folder, an inline scenario, or a list of these. No other scenario is active.",
      )
      .prefault([]),
    drive: z.array(stepValue).describe("The steps, in order.").prefault([]),
    expect: z
      .array(expectationValue)
      .describe(
        "What must hold afterwards, in addition to the built-in checks that each order ends right and that no defect is found. Each entry is a check in the report.",
      )
      .prefault([]),
  })
  .superRefine(checkPlaceholders);

/** How to drive an integrator's application, and what to expect of it. Texts may contain `{placeholders}`. */
export type Rehearsal = Omit<z.output<typeof rehearsalSchema>, "scenario"> & {
  /** References, and inline scenarios as written. */
  readonly scenario: readonly (string | Scenario)[];
};

export type ParsedRehearsal = { readonly rehearsal: Rehearsal } | { readonly problems: readonly Problem[] };

/** Parses a rehearsal from YAML or JSON text. Reports all mistakes at once. */
export function parseRehearsal(text: string, file: string): ParsedRehearsal {
  const parsed = parseSource(readYaml(text), rehearsalSchema, file);
  if ("problems" in parsed) return parsed;
  return { rehearsal: { ...parsed.value, scenario: [parsed.written.scenario ?? []].flat() } };
}

/** Keys of a rehearsal that neither a scenario nor a config file has. */
const OWN_KEYS = ["expect", "drive", "application"];

/** Returns whether a document is meant to be a rehearsal, even if it is invalid. */
export function isRehearsal({ document: { contents } }: YamlSource): boolean {
  return isMap(contents) && contents.items.some(({ key }) => OWN_KEYS.includes(keyText(key)));
}

/** The rehearsal file's JSON Schema, for editors. */
export function rehearsalJsonSchema(): Record<string, unknown> {
  const description = "How to drive an application, what goes wrong meanwhile, and what must hold afterwards.";
  return fileJsonSchema(rehearsalSchema, { title: "Kredo rehearsal", description });
}

/** Placeholders available in every file: the two addresses, and a word that differs in each run. */
const GIVEN = ["app", "sandbox", "run"] as const;

/** The placeholder that counts the repetitions of a step. */
export const COUNTER = "n";

interface PlaceholderUses {
  readonly account: AccountUnderTest;
  readonly drive: readonly Step[];
  readonly expect: readonly Expectation[];
}

/** Reports placeholders that no earlier step captures. */
function checkPlaceholders({ account, drive, expect }: PlaceholderUses, context: z.RefinementCtx): void {
  const known: string[] = [...GIVEN];
  const check = (part: unknown, names: readonly string[], path: (string | number)[]): void => {
    for (const { name, meant } of unknownPlaceholders(part, names)) {
      const repair =
        meant === undefined
          ? `capture it in an earlier request, or write {{${name}}} for the braces themselves`
          : `did you mean {${meant}}?`;
      complain(context, { path, problem: `no earlier step captures {${name}}`, repair });
    }
  };
  check(account.callbacks, GIVEN, ["account", "callbacks"]);
  for (const [index, step] of drive.entries()) {
    check(step, [...known, COUNTER], ["drive", index]);
    known.push(...Object.keys(step.request?.capture ?? {}));
  }
  // A `changed_by` probe is also asked before the first step, when nothing has been captured.
  for (const [index, one] of expect.entries())
    check(one, one.probe?.changed_by === undefined ? known : GIVEN, ["expect", index]);
}
