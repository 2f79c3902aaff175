import { randomUUID } from "node:crypto";
import type { Job, Service } from "../support/workflow/read-workflow.ts";
import { createNetwork, docker, firstVerdict } from "./docker.ts";

export interface Services extends AsyncDisposable {
  readonly healthy: readonly string[];
}

/**
 * Starts a job's service containers as GitHub's runner does: on one network, under their names, with their ports, options and
 * variables; and waits for those that know by themselves whether they are healthy
 * (docs.github.com/en/actions/using-containerized-services/about-service-containers).
 */
export async function startServices({ services = {} }: Job): Promise<Services> {
  const network = await createNetwork();
  const started = Object.entries(services).map(([alias, service]) => ({
    ...service,
    alias,
    name: `kredo-service-${randomUUID()}`,
  }));
  const dispose = async (): Promise<void> => {
    await Promise.all(started.map(({ name }) => docker("rm", "--force", "--volumes", name)));
    await network[Symbol.asyncDispose]();
  };
  try {
    await Promise.all(started.map((service) => startService(service, network.name)));
  } catch (fault) {
    await dispose();
    throw fault;
  }
  return { healthy: started.map(({ alias }) => alias), [Symbol.asyncDispose]: dispose };
}

async function startService(service: Service & { alias: string; name: string }, network: string): Promise<void> {
  const { image, ports = [], options = "", env = {}, alias, name } = service;
  const words = [
    ...ports.map((port) => `--publish=${port}`),
    ...options.split(/\s+/).filter((word) => word !== ""),
    ...Object.entries(env).map(([variable, value]) => `--env=${variable}=${value}`),
  ];
  const id = await docker(
    "run",
    "--detach",
    `--name=${name}`,
    `--network=${network}`,
    `--network-alias=${alias}`,
    ...words,
    image,
  );
  if ((await firstVerdict({ id })) !== "healthy")
    throw new Error(`The service ${alias} is not healthy:\n${await docker("logs", id)}`);
}
