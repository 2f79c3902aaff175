import type { World } from "../engine/world.ts";
import { ConnectionBroken } from "./breakage.ts";
import { ClientGone } from "./read-body.ts";
import type { Wire } from "./reply.ts";

export interface FaultDesk {
  readonly world: World;
  /** Writes a fault down and names the report. */
  readonly report: (fault: unknown) => string;
}

/** Anything that is not a refusal is a fault of the sandbox: the log has it, the answer names the report. What broke a connection is thrown again. */
export function answerFault(fault: unknown, { report, world }: FaultDesk): Wire {
  if (fault instanceof ConnectionBroken) throw fault;
  if (fault instanceof ClientGone) return { status: 400, headers: {}, body: "" };
  const description = `Internal server error. Report ${report(fault)}.`;
  const body = JSON.stringify({ status_code: 500, description, request_id: world.freshId() });
  return { status: 500, headers: { "content-type": "application/json" }, body };
}
