import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { createNetwork, docker } from "./docker.ts";

const variables = z.record(z.string(), z.string());

/** The keys of docs.gitlab.com/ci/yaml that this runner knows; one that it would leave out is refused. */
const pipeline = z.strictObject({
  test: z.strictObject({
    image: z.string(),
    variables,
    services: z.array(z.strictObject({ name: z.string(), alias: z.string(), variables })),
    script: z.array(z.string()),
    after_script: z.array(z.string()),
    artifacts: z.strictObject({ when: z.literal("always"), reports: z.strictObject({ junit: z.string() }) }),
  }),
});

type GitLabJob = z.output<typeof pipeline>["test"];

export interface GitLabRun {
  readonly succeeded: boolean;
  readonly printed: string;
  /** What `artifacts.reports.junit` would have kept. */
  readonly junit: string | undefined;
}

/**
 * Runs the job of a pipeline in a folder as the Docker executor of GitLab's runner does: services on the job's own network, waited
 * for on their port; the job's variables are theirs as well, and the job is "build" to them
 * (docs.gitlab.com/runner/executors/docker).
 */
export async function runGitLabJob(text: string, folder: string): Promise<GitLabRun> {
  const { test: job } = pipeline.parse(parse(text));
  if (job.variables["FF_NETWORK_PER_BUILD"] !== "true")
    throw new Error("Without a network of its own, services know no job.");
  await using network = await createNetwork();
  const names = [...job.services.map(() => `kredo-service-${randomUUID()}`), `kredo-build-${randomUUID()}`];
  try {
    await Promise.all(
      job.services.map((service, index) => startService({ job, service, name: names[index] ?? "" }, network.name)),
    );
    return await runScripts(job, { folder, network: network.name, name: names.at(-1) ?? "" });
  } finally {
    await Promise.all(names.map((name) => docker("rm", "--force", "--volumes", name)));
  }
}

interface Starting {
  readonly job: GitLabJob;
  readonly service: GitLabJob["services"][number];
  readonly name: string;
}

async function startService({ job, service, name }: Starting, network: string): Promise<void> {
  const env = words({ ...job.variables, ...service.variables });
  await docker(
    "run",
    "--detach",
    `--name=${name}`,
    `--network=${network}`,
    `--network-alias=${service.alias}`,
    ...env,
    service.name,
  );
  const port = service.variables["HEALTHCHECK_TCP_PORT"] ?? "";
  await docker("run", "--rm", `--network=${network}`, job.image, "node", "--eval", CONNECT, service.alias, port);
}

const CONNECT = `
  const [host, port] = process.argv.slice(1);
  const begun = Date.now();
  const connect = () => require("node:net").connect(port, host, () => process.exit()).on("error", again);
  const again = (error) => { if (Date.now() - begun > 30_000) throw error; setTimeout(connect, 100); };
  connect();
`;

interface Place {
  readonly folder: string;
  readonly network: string;
  readonly name: string;
}

async function runScripts(job: GitLabJob, { folder, network, name }: Place): Promise<GitLabRun> {
  const place = [
    `--network=${network}`,
    "--network-alias=build",
    `--volume=${folder}:/builds/project`,
    "--workdir=/builds/project",
  ];
  await docker(
    "run",
    "--detach",
    "--init",
    `--name=${name}`,
    ...place,
    ...words(job.variables),
    job.image,
    "sleep",
    "infinity",
  );
  const script = await runLines(name, job.script);
  const after = await runLines(name, job.after_script);
  const junit = join(folder, job.artifacts.reports.junit);
  return {
    succeeded: script.succeeded,
    printed: script.printed + after.printed,
    junit: existsSync(junit) ? readFileSync(junit, "utf8") : undefined,
  };
}

async function runLines(name: string, lines: readonly string[]): Promise<{ succeeded: boolean; printed: string }> {
  const script = ["exec 2>&1", "set -eo pipefail", ...lines].join("\n");
  return docker("exec", name, "bash", "-c", script).then(
    (printed) => ({ succeeded: true, printed }),
    (fault: unknown) => ({ succeeded: false, printed: z.object({ stdout: z.string() }).parse(fault).stdout }),
  );
}

function words(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `--env=${name}=${value}`);
}
