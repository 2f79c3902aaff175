/** Why a port cannot be listened on, and what to do about it. */
export function explainListenFailure(error: unknown, port: number, host: string): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is in use: stop what listens there, or choose another one with --port (0 takes a free one).`;
  if (code === "EACCES") return `Port ${port} on ${host} is not allowed for this user: choose one above 1023 with --port.`;
  return `Cannot listen on ${host} port ${port}: ${error instanceof Error ? error.message : String(error)}.`;
}
