import { parse } from "yaml";
import { listShipped, readShipped } from "../src/gateway/adapters/files/shipped-files.ts";
import { openShippedScenarios } from "../src/gateway/adapters/files/shipped-scenarios.ts";
import { CARRIERS, carrierName, parsePhoneNumber, routeTo } from "../src/gateway/domain/carrier.ts";
import { formatDuration } from "../src/gateway/domain/time.ts";
import { FAULTS } from "../src/verdict/faults.ts";
import { TRAFFIC_CHECKS } from "../src/verdict/checks/all-checks.ts";
import { ORDER_CHECKS } from "../src/verdict/orders/order-checks.ts";
import { SEVERITIES, type Severity } from "../src/verdict/severities.ts";
import { PROFILES, PROFILE_DEFAULTS } from "../src/gateway/settings/profiles.ts";
import { cell, code } from "./markdown.ts";

/** Fills the table of prefixes in the page about the gateway. */
export function withPrefixes(page: string): string {
  const rows = CARRIERS.map((carrier) => [carrierName(carrier), prefixRanges(carrier).join(", ")]);
  return withTable(page, ["carrier", "prefixes after 254"], rows);
}

/** Fills the table of profiles in the page about the gateway with the settings in which they differ. */
export function withProfiles(page: string): string {
  const rows = settingsOf(PROFILE_DEFAULTS.document).map(([path]) => [path, ...valuesByProfile(path)].map(code));
  const differing = rows.filter(([, ...values]) => new Set(values).size > 1);
  return withTable(page, ["setting", ...PROFILES.map(code)], differing);
}

/** Says the defaults of a setting that a profile decides: "uuid; padded with profile observed". */
export function profileDefaults(path: string): string | undefined {
  const values = valuesByProfile(path);
  const [usual, ...others] = [...new Set(values)];
  if (usual === undefined) return undefined;
  const exceptions = others.map((value) => {
    const profiles = PROFILES.filter((_, index) => values[index] === value);
    return `; ${value} with profile ${profiles.join(" and ")}`;
  });
  return `${usual}${exceptions.join("")}`;
}

/** The value in each profile; empty for what no profile decides. The only numbers are durations. */
function valuesByProfile(path: string): string[] {
  return PROFILES.flatMap((profile) => {
    const found = settingsOf(PROFILE_DEFAULTS[profile]).find(([name]) => name === path);
    if (found === undefined) return [];
    const [, value] = found;
    return typeof value === "number" ? formatDuration(value) : String(value);
  });
}

/** Lists settings by their paths: `refusals.limits`. */
function settingsOf(settings: object, above = ""): [path: string, value: unknown][] {
  return Object.entries(settings).flatMap(([key, value]): [string, unknown][] =>
    typeof value === "object" && value !== null ? settingsOf(value, `${above}${key}.`) : [[`${above}${key}`, value]],
  );
}

/** Fills the tables of faults and of shipped scenarios in the page about failures. */
export async function withFailures(page: string): Promise<string> {
  const library = await openShippedScenarios();
  const shipped = library.names().flatMap((name) => library.find(name) ?? []);
  const magic = shipped.find(({ name }) => name === "magic-numbers");
  const numbers = new Map((magic?.rules ?? []).map(({ name, when }) => [name, String(when?.phone_number).slice(-3)]));
  const faults = FAULTS.map(({ id, words }) => [code(id), numbers.get(id) ?? "", words]);
  const scenarios = shipped.map(({ name, description }) => [code(name), description ?? ""]);
  return withTable(
    withTable(page, ["fault", "number", "what happens"], faults),
    ["scenario", "what happens"],
    scenarios,
  );
}

/** Fills the table of shipped rehearsals in the page about the verdict. */
export function withRehearsals(page: string): string {
  const rows = listShipped(REHEARSALS).map((name): string[] => {
    const { description = "" }: { description?: string } = parse(readShipped(REHEARSALS, name));
    return [code(name), description];
  });
  return withTable(page, ["rehearsal", "what happens"], rows);
}

const REHEARSALS = "scenarios/rehearsals";

/** Fills the tables of checks: of traffic, and of orders that Kredo places in an application. Most severe first. */
export function withChecks(page: string): string {
  const traffic = TRAFFIC_CHECKS.map(({ id, severity, title }) => ({ id, severity, title }));
  const orders = Object.entries(ORDER_CHECKS).map(([id, { severity, title }]) => ({ id, severity, title }));
  return withTable(
    withTable(page, ["check of traffic", "severity", "what was seen"], bySeverity(traffic)),
    ["check of an order", "severity", "your application"],
    bySeverity(orders),
  );
}

function bySeverity(
  checks: readonly { readonly id: string; readonly severity: Severity; readonly title: string }[],
): string[][] {
  const ordered = SEVERITIES.flatMap((severity) => checks.filter((check) => check.severity === severity));
  return ordered.map(({ id, severity, title }) => [code(id), severity, title]);
}

/** Consecutive prefixes as one range: "110-119". */
function prefixRanges(wanted: string): string[] {
  const ranges: [first: number, last: number][] = [];
  for (let prefix = 100; prefix < 800; prefix += 1) {
    const number = parsePhoneNumber(`254${prefix}000000`, "strict");
    if (number === undefined || routeTo(number, UNPORTED)?.carrier !== wanted) continue;
    const latest = ranges.at(-1);
    if (latest?.[1] === prefix - 1) latest[1] = prefix;
    else ranges.push([prefix, prefix]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`));
}

const UNPORTED = { ported_share: 0, ported: {}, prefixes: {} };

/** Replaces the rows of the table with this head. */
export function withTable(page: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = page.split("\n");
  const first = lines.indexOf(head.join(" | ")) + 2;
  if (first === 1) throw new Error(`the page has no table with the head ${head.join(", ")}`);
  const after = lines.indexOf("", first);
  return lines.toSpliced(first, after - first, ...rows.map((row) => row.map(cell).join(" | ").trimEnd())).join("\n");
}
