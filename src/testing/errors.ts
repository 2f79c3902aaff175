/** No sandbox answers where one was looked for. */
export class SandboxUnreachableError extends Error {
  override readonly name = "SandboxUnreachableError";
}

/** A call on a sandbox that was closed, or on one of its accounts. */
export class SandboxClosedError extends Error {
  override readonly name = "SandboxClosedError";
}

/** A sandbox cannot listen where it was told to, because something else does. */
export class PortInUseError extends Error {
  override readonly name = "PortInUseError";
}
