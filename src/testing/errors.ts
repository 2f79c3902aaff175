/** Thrown if no sandbox answers at the URL. */
export class SandboxUnreachableError extends Error {
  override readonly name = "SandboxUnreachableError";
}

/** Thrown by calls on a closed sandbox or one of its accounts. */
export class SandboxClosedError extends Error {
  override readonly name = "SandboxClosedError";
}

/** Thrown if the port to listen on is in use. */
export class PortInUseError extends Error {
  override readonly name = "PortInUseError";
}
