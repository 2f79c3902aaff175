import { addAbortSignal } from "node:stream";
import { type ContainerRuntimeClient, getContainerRuntimeClient, type StartedTestContainer } from "testcontainers";

/** Finds the container engine. Rejects with a one-line message if there is none. */
export async function findEngine(find = getContainerRuntimeClient): Promise<ContainerRuntimeClient> {
  try {
    return await find();
  } catch (cause) {
    throw new Error("KredoContainer found no container engine; start Docker or Podman, or name one in DOCKER_HOST", {
      cause,
    });
  }
}

/** Starts a container. Calls `created` with its id before anything runs in it. */
export type Start = (created: (containerId: string) => Promise<void>) => Promise<StartedTestContainer>;

/** Waits until a container has started. If it exits instead, it is removed and this rejects at once with its output. */
export async function startOrExplain(engine: ContainerRuntimeClient, start: Start): Promise<StartedTestContainer> {
  const watch: Watch = { printed: [], over: new AbortController() };
  try {
    return await new Promise((resolve, reject) => {
      start((containerId) => follow(engine, containerId, { ...watch, ended: reject })).then(resolve, reject);
    });
  } catch (cause) {
    throw new Error(describe(watch.printed.join("").trim(), cause), { cause });
  } finally {
    watch.over.abort();
  }
}

interface Watch {
  readonly printed: string[];
  /** Aborted when the output is no longer needed. */
  readonly over: AbortController;
}

interface Following extends Watch {
  readonly ended: (reason: Error) => void;
}

/** Without this, Testcontainers would wait for the ports of a container that exited, and print less than its output says. */
async function follow(
  engine: ContainerRuntimeClient,
  containerId: string,
  { printed, over, ended }: Following,
): Promise<void> {
  const container = engine.container.getById(containerId);
  const output = addAbortSignal(over.signal, await engine.container.attach(container));
  output.on("data", (chunk) => printed.push(String(chunk)));
  // An abort emits an error on the stream.
  output.once("error", () => {});
  output.once("end", () => {
    const removed = container.remove({ force: true, v: true }).catch(() => {});
    void removed.then(() => ended(new Error("the container ended")));
  });
}

function describe(printed: string, cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return printed === "" ? `Kredo did not start: ${reason}` : `Kredo did not start (${reason}). It said:\n${printed}`;
}
