import "./node-version.js";
export {
  Account,
  type Credentials,
  type FindingFilter,
  SandboxClosedError,
  type TransactionFilter,
} from "./testing/account.ts";
export { connectSandbox, SandboxUnreachableError } from "./testing/connect-sandbox.ts";
export { createSandbox, PortInUseError } from "./testing/create-sandbox.ts";
export { Sandbox, type SecurePort } from "./testing/sandbox.ts";
export { ControlError } from "./control/client/control-client.ts";
export type { AccountOptions, SandboxOptions } from "./testing/sandbox-options.ts";
export type * from "./control/client/shapes.ts";
export type * from "./verdict/endpoints/shapes.ts";
