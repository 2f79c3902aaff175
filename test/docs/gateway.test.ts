import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { kredoValue } from "../../src/calibration/calibration.ts";
import type { Guess, GuessSettings } from "../../src/calibration/guess.ts";
import { GUESSES } from "../../src/calibration/guesses.ts";
import { run } from "../../src/cli/run.ts";
import { configJsonSchema, configSchema } from "../../src/config.ts";
import { measureSms } from "../../src/gateway/domain/sms-parts.ts";
import { formatDuration } from "../../src/gateway/domain/time.ts";
import { PROFILES } from "../../src/gateway/settings/profiles.ts";
import { createSandbox } from "../../src/index.ts";
import { fakeTerminal } from "../support/terminal.ts";
import { unlikeJson } from "./compare.ts";
import { readText, tablesOf } from "./read-page.ts";

const PAGE = "docs/gateway.md";
const tables = tablesOf(PAGE);
const AIRTIME = "/api/v2/airtime";
const REFUSED_BY_SERVER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  417: { expect: "200-ok" },
  431: { "x-long": "x".repeat(20_000) },
};

test.each(rowsWith("status").filter(({ status = "" }) => !(status in REFUSED_BY_SERVER)))(
  "the refusal $status has this body",
  async ({ status = "", body = "" }) => {
    await using sandbox = await createSandbox();

    const response = await sandbox.fetch(...(REFUSED[status] ?? magicOrder(status)));

    expect(response.status).toBe(Number(status));
    expect(unlikeJson(JSON.parse(code(body)), await response.json())).toBeUndefined();
  },
);

test.each(rowsWith("status").filter(({ status = "" }) => status in REFUSED_BY_SERVER))(
  "the refusal $status of the server has this body",
  async ({ status = "", body = "" }) => {
    await using sandbox = await createSandbox();

    const response = await askWith(sandbox.url, REFUSED_BY_SERVER[status] ?? {});

    expect(response.status).toBe(Number(status));
    expect(unlikeJson(JSON.parse(code(body)), JSON.parse(response.body))).toBeUndefined();
  },
);

const JSON_TYPE = { "content-type": "application/json" };

/** What provokes a refusal for which there is no magic number, or that says more without one. */
const REFUSED: Readonly<Record<string, [path: string, request?: RequestInit]>> = {
  400: [AIRTIME, { method: "POST", headers: JSON_TYPE, body: "{" }],
  401: [AIRTIME, { method: "POST", headers: { ...JSON_TYPE, authorization: "Basic bm86Ym9keQ==" }, body: "{}" }],
  404: ["/api/v2/top-up"],
  405: [AIRTIME],
  413: [AIRTIME, { method: "POST", headers: JSON_TYPE, body: " ".repeat(1024 * 1024 + 1) }],
  415: [AIRTIME, { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" }],
  422: [AIRTIME, { method: "POST", headers: JSON_TYPE, body: "{}" }],
};

/** What is refused before there is a request: `fetch` has no such headers. */
async function askWith(url: string, headers: Readonly<Record<string, string>>) {
  const asked = request(`${url}${AIRTIME}`, { method: "POST", headers });
  asked.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once("response", resolve).once("error", reject);
  });
  return { status: response.statusCode, body: await text(response) };
}

function magicOrder(status: string): [string, RequestInit] {
  return order(JSON.stringify({ phone_number: `254700000${status}`, amount: "50" }));
}

function order(body: string): [string, RequestInit] {
  return [body.includes("sender_id") ? "/api/v2/sms" : AIRTIME, { method: "POST", headers: JSON_TYPE, body }];
}

test.each(rowsWith("`validation_errors`"))("$body is refused with these sentences", async (row) => {
  await using sandbox = await createSandbox();

  const response = await sandbox.fetch(...order(code(row["body"] ?? "")));

  expect(await response.json()).toMatchObject({
    validation_errors: JSON.parse(code(row["`validation_errors`"] ?? "")),
  });
});

test.each(rowsWith("encoding"))("$message has this many parts, at this price", async (row) => {
  const [, character = "", times = ""] = /^"(.+)" × (\d+)$/.exec(code(row["message"] ?? "")) ?? [];

  const { encoding, units, parts } = measureSms(character.repeat(Number(times)), 70);

  expect({ encoding, units, parts, price: (parts * 0.8).toFixed(2) }).toEqual({
    encoding: row["encoding"],
    units: Number(row["units"]),
    parts: Number(row["parts"]),
    price: row["price"],
  });
});

const settings = settingsIn(configJsonSchema());

test("every setting that it names is in the config file's schema", () => {
  const named = [...readText(PAGE).matchAll(/`([a-z][a-z0-9_]*(?:\[\])?(?:\.[A-Za-z_0-9]+)*)`(?! \()/g)].map(
    ([, name = ""]) => name,
  );
  const inColumns = tables.flat().flatMap((row) => (row["setting"] ? [code(row["setting"])] : []));

  expect(inColumns.filter((name) => !settings.has(name))).toEqual([]);
  expect(named.filter((name) => name.includes(".") && !settings.has(name))).toEqual([]);
});

test("every guess is marked on the page", () => {
  const marked = [...readText(PAGE).matchAll(/\((?:guess|likely)[^)]*\)<!--([a-z0-9 -]+)-->/g)].flatMap(
    ([, ids = ""]) => ids.split(" "),
  );
  const unnamed = readText(PAGE).match(/\((?:guess|likely)[^)]*\)(?!\*\*|<!--)/g);

  expect(new Set(marked)).toEqual(new Set(GUESSES.map(({ id }) => id)));
  expect(unnamed).toBeNull();
});

test("every guess names a setting of the config file, or none", () => {
  const named = GUESSES.flatMap(({ setting }) => setting ?? []);

  expect(named.filter((path) => !settings.has(path))).toEqual([]);
});

test("every guess is a row of the table of facts, with how sure it is and where it is from", () => {
  const [, usual = ""] = /\*Known\* alone is from the (.*):\n/.exec(readText(PAGE)) ?? [];
  const rows = rowsWith("certainty").map(({ fact, certainty, setting }) => [
    code(fact ?? ""),
    certainty,
    code(setting ?? ""),
  ]);

  expect(rows).toEqual(
    GUESSES.map(({ id, certainty = "guess", source, date, setting = "" }) => {
      const from = `${source === undefined ? "" : `: ${source}`}${date === undefined ? "" : `, ${date}`}`;
      return [id, `${certainty}${from}`.replace(`known: ${usual}`, "known"), setting];
    }),
  );
});

test.each(PROFILES)("the table of facts has what Kredo does with profile %s", (profile) => {
  const options = configSchema.parse({ profile });
  const rows = new Map(rowsWith("certainty").map((row) => [code(row["fact"] ?? ""), row["Kredo's value"] ?? ""]));

  const stated = GUESSES.filter(hasValue).map(({ id }) => [id, valueWith(profile, rows.get(id) ?? "")]);

  expect(stated).toEqual(GUESSES.filter(hasValue).map((guess) => [guess.id, written(guess, options)]));
});

function hasValue({ kredo, setting }: Guess): boolean {
  return kredo !== undefined || setting !== undefined;
}

/** Reads "strict; lenient with profile sdk; digits with profile observed". */
function valueWith(profile: string, cell: string): string {
  const [usual = [], ...others] = cell.split("; ").map((part) => part.split(" with profile "));
  const [own = ""] = others.find(([, profiles = ""]) => profiles.split(" and ").includes(profile)) ?? usual;
  return own;
}

function written(guess: Guess, options: GuessSettings): string {
  const value = kredoValue(guess, options);
  return guess.id === "duplicate-window" ? formatDuration(Number(value)) : String(value);
}

test("the ten facts that matter most are answered from one's own logs", () => {
  const questions = rowsWith("look for");

  expect(questions).toHaveLength(10);
  expect(readText(PAGE).indexOf("| look for |")).toBeLessThan(readText(PAGE).indexOf("| certainty |"));
});

test.each(rowsWith("look for"))("calibrate sees in the line for the fact $fact that it differs", async (row) => {
  const terminal = fakeTerminal({ stdin: code(row["line for `calibrate`"] ?? "") });

  await run(["calibrate", "-"], terminal);

  expect(terminal.printed()).toMatch(new RegExp(`^ *${code(row["fact"] ?? "")} +differs .*\\(once\\)$`, "m"));
});

function rowsWith(head: string): Record<string, string>[] {
  const table = tables.find(([row]) => row !== undefined && head in row);
  if (table === undefined) throw new Error(`${PAGE} has no table with the column ${head}`);
  return table;
}

function code(cell: string): string {
  return cell.replaceAll("`", "");
}

/** Every key of a schema with its description, written as on the page: `accounts[].balance`, `carriers.NAME.limits`. */
function settingsIn(schema: unknown, path = "", found = new Map<string, string>()): Map<string, string> {
  if (typeof schema !== "object" || schema === null) return found;
  for (const [key, inner] of Object.entries(schema)) {
    if (key === "properties") addProperties(inner, path, found);
    else if (key === "items") settingsIn(inner, `${path}[]`, found);
    else settingsIn(inner, path, found);
  }
  return found;
}

function addProperties(
  properties: Record<string, { description?: string }>,
  path: string,
  found: Map<string, string>,
): void {
  for (const [name, schema] of Object.entries(properties)) {
    const below = `${path === "" ? "" : `${path}.`}${/^(safaricom|airtel|telkom)$/.test(name) ? "NAME" : name}`;
    found.set(below, schema.description ?? found.get(below) ?? "");
    settingsIn(schema, below, found);
  }
}
