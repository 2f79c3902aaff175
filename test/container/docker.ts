import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

/** Runs the docker command and gives what it printed; rejects with what it complained about. */
export async function docker(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("docker", words, { maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

export interface Container extends AsyncDisposable {
  readonly id: string;
  /** The base URL of the published port. */
  readonly url: string;
}

/** Starts the image as a careful operator would: nothing writable, no capabilities, a port that the engine picks. */
export async function startContainer(image: string, ...options: string[]): Promise<Container> {
  const hardened = ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges"];
  const id = await docker(
    "run",
    "--detach",
    "--publish=127.0.0.1::8254",
    "--health-interval=500ms",
    ...hardened,
    ...options,
    image,
  );
  const published = await docker("port", id, "8254/tcp");
  return {
    id,
    url: `http://${published}`,
    [Symbol.asyncDispose]: async () => void (await docker("rm", "--force", "--volumes", id)),
  };
}

export interface Network extends AsyncDisposable {
  readonly name: string;
}

/** A network of its own, on which containers know each other by their aliases. */
export async function createNetwork(): Promise<Network> {
  const name = `kredo-test-${randomUUID()}`;
  await docker("network", "create", name);
  return { name, [Symbol.asyncDispose]: async () => void (await docker("network", "rm", name)) };
}

/** The first verdict of the container's own health check: "healthy" or "unhealthy". */
export async function firstVerdict(container: Pick<Container, "id">): Promise<string> {
  const filters = [`--filter=container=${container.id}`, "--filter=event=health_status"];
  const events = spawn("docker", ["events", "--since=0", "--format={{.Status}}", ...filters], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    for await (const line of createInterface(events.stdout)) return line.replace("health_status: ", "");
    throw new Error("The engine stopped telling its events.");
  } finally {
    events.kill();
  }
}
