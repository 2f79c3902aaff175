import { expect, test } from "vitest";
import { startTestSandbox } from "../../support/sandbox.ts";

test.each(["/", "/livez", "/readyz"])(
  "answers OPTIONS on %s with the allowed methods, and journals nothing",
  async (path) => {
    await using sandbox = await startTestSandbox();

    const response = await sandbox.running.fetch(new Request(`http://localhost${path}`, { method: "OPTIONS" }));

    expect(response.status).toBe(204);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(sandbox.account.state.requests + sandbox.running.world.sandbox.state.requests).toBe(0);
  },
);
