import * as z from "zod";
import type { Account } from "../../engine/account.ts";
import type { World } from "../../engine/world.ts";
import type { Finding, Severity } from "../../findings/finding.ts";
import type { LiveFindings } from "../../findings/live-findings.ts";
import { DETECTOR_IDS } from "../../domain/detector-ids.ts";
import { accountEndpoint } from "./account-endpoint.ts";
import { type Endpoint, endpoint, NOTHING } from "./endpoint.ts";
import { findingJson, findingShape, SEVERITIES } from "./finding-json.ts";

const query = z.strictObject({
  severity: z.enum(SEVERITIES).exactOptional(),
  id: z.enum(DETECTOR_IDS).describe("The id of a detector.").exactOptional(),
});

const answers = {
  200: {
    description: "Findings, defects first, each severity in the order in which they were first seen",
    schema: z.object({
      items: z.array(findingShape),
      total: z.int(),
      watched: z.array(z.string()).describe("The detectors that watch; of what the others look for, nothing is known."),
    }),
  },
};

export const detectorShape = findingShape.pick({ id: true, severity: true, title: true, why: true, mend: true, assumes: true });

const detectorList = z.object({ items: z.array(detectorShape), total: z.int() });

const detectors = { 200: { description: "The detectors, those of defects first", schema: detectorList } };

export function findingEndpoints(world: World, findings: LiveFindings): Endpoint[] {
  return [
    accountEndpoint(
      world,
      {
        method: "get",
        path: "/accounts/{account}/findings",
        summary: "List what was noticed in the behaviour of client and receiver since the account was opened or reset",
        query,
        body: NOTHING,
        answers,
      },
      ({ account, query }) => listFindings(account, findings, query),
    ),
    endpoint(
      {
        method: "get",
        path: "/detectors",
        summary: "List what is looked for: each detector with why it matters, how to mend it and what it takes for granted",
        query: NOTHING,
        body: NOTHING,
        answers: detectors,
      },
      () => listDetectors(findings),
    ),
    endpoint(
      {
        method: "get",
        path: "/findings",
        summary: "List what was noticed in requests that belong to no account, because their consumer key is unknown",
        query,
        body: NOTHING,
        answers,
      },
      ({ query }) => listFindings(world.sandbox, findings, query),
    ),
  ];
}

function listFindings(account: Account, findings: LiveFindings, wanted: z.output<typeof query>): unknown {
  const noticed = findings.of(account);
  const fitting = noticed.list().filter((finding) => fits(finding, wanted));
  const items = fitting.toSorted(worstFirst);
  return { items: items.map((finding) => findingJson(finding, account)), total: items.length, watched: noticed.watched };
}

function listDetectors(findings: LiveFindings): z.output<typeof detectorList> {
  const items = findings.detectors.map(({ id, severity, title, why, mend, assumes }) => ({ id, severity, title, why, mend, assumes }));
  return { items: items.toSorted(worstFirst), total: items.length };
}

function worstFirst(one: { severity: Severity }, other: { severity: Severity }): number {
  return SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);
}

function fits(finding: Finding, { severity, id }: z.output<typeof query>): boolean {
  return (severity === undefined || finding.severity === severity) && (id === undefined || finding.id === id);
}
