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
  const printed: string[] = [];
  const over = new AbortController();
  let container: ReturnType<ContainerRuntimeClient["container"]["getById"]> | undefined;
  try {
    return await new Promise((resolve, reject) => {
      start(async (containerId) => {
        container = engine.container.getById(containerId);
        const output = addAbortSignal(over.signal, await engine.container.attach(container));
        output.on("data", (chunk) => printed.push(String(chunk)));
        // An abort emits an error on the stream.
        output.once("error", () => {});
        // Without this, Testcontainers would wait for the ports of a container that exited, and print less than its output says.
        output.once("end", () => reject(new Error("the container ended")));
      }).then(resolve, reject);
    });
  } catch (cause) {
    // Testcontainers may be removing it already; then the engine refuses, and its removal is waited for.
    await container
      ?.remove({ force: true, v: true })
      .catch(() => container?.wait({ condition: "removed" }).catch(() => {}));
    throw new Error(describe(printed.join("").trim(), cause), { cause });
  } finally {
    over.abort();
  }
}

function describe(printed: string, cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return printed === "" ? `Kredo did not start: ${reason}` : `Kredo did not start (${reason}). It said:\n${printed}`;
}
