import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../support/free-ports.ts";

const CONFIG = new URL("../../examples/replicas/haproxy.cfg", import.meta.url);

/** HAProxy in front of replicas, with the configuration of examples/replicas; only where it listens and where they are is different. */
export interface HAProxy extends AsyncDisposable {
  readonly url: string;
}

export async function startHAProxy(replicas: readonly string[]): Promise<HAProxy> {
  const [port = 0] = await freePorts(1);
  const folder = mkdtempSync(join(tmpdir(), "kredo-haproxy-"));
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, configFor(port, replicas));
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "inherit"] });
  const closed = once(child, "close");
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await closed;
      rmSync(folder, { recursive: true });
    },
  };
}

function configFor(port: number, replicas: readonly string[]): string {
  const written = readFileSync(CONFIG, "utf8");
  const [template = "", check = ""] = /^ *server-template .*?(check .*?) resolvers .*$/m.exec(written) ?? [];
  const servers = replicas.map((url, index) => `  server replica${index + 1} ${new URL(url).host} ${check}`);
  if (template === "" || !written.includes("bind :8254"))
    throw new Error("examples/replicas/haproxy.cfg is not as expected");
  return written.replace(template, servers.join("\n")).replace("bind :8254", `bind 127.0.0.1:${port}`);
}

async function untilReady(url: string): Promise<void> {
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  );
}
