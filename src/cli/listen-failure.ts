import { messageOf } from "../domain/message-of.ts";

interface Wanted {
  readonly port: number;
  readonly host: string;
  /** Where another port would be said. */
  readonly flag: string;
}

/** Why a port cannot be listened on, and what to do about it. */
export function explainListenFailure(error: unknown, { port, host, flag }: Wanted): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is in use: stop what listens there, or choose another one with ${flag} (0 takes a free one).`;
  if (code === "EACCES") return `Port ${port} on ${host} is not allowed for this user: choose one above 1023 with ${flag}.`;
  return `Cannot listen on ${host} port ${port}: ${messageOf(error)}.`;
}
