import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/index.ts";
import { type Visitor, type VisitorOptions, welcomeVisitor } from "./visitor.ts";

/** A sandbox, and somebody who looks at its page. */
export interface DashboardSession extends Visitor {
  readonly sandbox: Sandbox;
}

/** Nothing moves by itself: the clock is manual and the seed is 1 unless told otherwise. */
export async function openDashboard(
  options: SandboxOptions = {},
  look: VisitorOptions = {},
): Promise<DashboardSession> {
  const sandbox = await createSandbox({ clock: "manual", seed: 1, ...options });
  const visitor = await welcomeVisitor(sandbox.url, look);
  return {
    ...visitor,
    sandbox,
    async [Symbol.asyncDispose]() {
      try {
        await visitor[Symbol.asyncDispose]();
      } finally {
        await sandbox.close();
      }
    },
  };
}
