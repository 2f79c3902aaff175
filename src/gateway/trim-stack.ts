import { PortInUseError } from "./adapters/server/node-server.ts";
import { WrongOptions } from "./document/parse-options.ts";

/** Begins the stack of a caller's mistake where the exported function was called, so that Node shows that line and not the bundle's. */
export function startStackAtCall(error: unknown, called: (...options: never[]) => unknown): unknown {
  if (error instanceof WrongOptions || error instanceof PortInUseError) Error.captureStackTrace(error, called);
  return error;
}
