import { listenSecurely, type Secure } from "./secure-gateway.ts";
import { startTestSandbox, type TestSandbox } from "./sandbox.ts";

/** A sandbox that also takes HTTPS, on a free port. */
export function startSecureSandbox(
  ...[config, ports]: Parameters<typeof startTestSandbox>
): Promise<TestSandbox & Secure> {
  return listenSecurely((ca) => startTestSandbox(config, { ca, ...ports }));
}
