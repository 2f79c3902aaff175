import { randomUUID } from "node:crypto";
import { parse } from "yaml";
import * as z from "zod";
import { docker, firstVerdict } from "./docker.ts";

const variables = z.array(z.strictObject({ name: z.string(), value: z.string() }));

const probe = z.object({ httpGet: z.strictObject({ path: z.string(), port: z.string() }) });

const sidecar = z.strictObject({
  name: z.string(),
  image: z.string(),
  restartPolicy: z.literal("Always"),
  env: variables,
  ports: z.tuple([z.strictObject({ name: z.string(), containerPort: z.int() })]),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  resources: z.unknown(),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    runAsNonRoot: z.literal(true),
    runAsUser: z.int(),
    capabilities: z.strictObject({ drop: z.tuple([z.literal("ALL")]) }),
    seccompProfile: z.strictObject({ type: z.literal("RuntimeDefault") }),
  }),
});

const tests = z.strictObject({
  name: z.string(),
  image: z.string(),
  command: z.tuple([z.string(), z.string()]),
  args: z.tuple([z.string()]),
  env: variables,
});

const podSpec = z.strictObject({
  restartPolicy: z.literal("Never"),
  initContainers: z.tuple([sidecar]),
  containers: z.tuple([tests]),
});

const job = z.object({
  kind: z.literal("Job"),
  spec: z.object({ template: z.strictObject({ spec: podSpec }) }),
});

export interface PodRun {
  readonly succeeded: boolean;
  readonly printed: string;
  /** The status that each probe of the sidecar gets. */
  readonly probed: Readonly<Record<"startup" | "readiness" | "liveness", number>>;
}

/**
 * Runs the pod of a job as Kubernetes does: its containers share one network, and the others start once the sidecar has
 * (kubernetes.io/docs/concepts/workloads/pods/sidecar-containers). The image of the tests is replaced.
 */
export async function runPod(text: string, testsImage: string): Promise<PodRun> {
  const [kredo] = job.parse(parse(text)).spec.template.spec.initContainers;
  const [container] = job.parse(parse(text)).spec.template.spec.containers;
  const names = { sidecar: `kredo-sidecar-${randomUUID()}`, tests: `kredo-tests-${randomUUID()}` };
  try {
    const id = await startSidecar(kredo, names.sidecar);
    if ((await firstVerdict({ id })) !== "healthy") throw new Error(await docker("logs", id));
    const probed = await askProbes(kredo, id);
    return { ...(await runTests(container, { testsImage, ...names })), probed };
  } finally {
    await Promise.all(Object.values(names).map((name) => docker("rm", "--force", "--volumes", name)));
  }
}

function startSidecar(
  { image, env, ports: [port], securityContext }: z.output<typeof sidecar>,
  name: string,
): Promise<string> {
  const allowed = [
    "--read-only",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    `--user=${securityContext.runAsUser}`,
  ];
  const published = `--publish=127.0.0.1::${port.containerPort}`;
  const words = ["--detach", `--name=${name}`, published, "--health-interval=500ms", ...allowed, ...wordsOf(env)];
  return docker("run", ...words, image);
}

async function askProbes(kredo: z.output<typeof sidecar>, id: string): Promise<PodRun["probed"]> {
  const [port] = kredo.ports;
  const address = await docker("port", id, `${port.containerPort}/tcp`);
  const ask = async ({ httpGet: { path, port: name } }: z.output<typeof probe>): Promise<number> => {
    if (name !== port.name) throw new Error(`The probe of ${path} names the port ${name}.`);
    const { status } = await fetch(`http://${address}${path}`);
    return status;
  };
  return {
    startup: await ask(kredo.startupProbe),
    readiness: await ask(kredo.readinessProbe),
    liveness: await ask(kredo.livenessProbe),
  };
}

async function runTests(
  { command: [shell, ...options], args, env }: z.output<typeof tests>,
  names: { readonly testsImage: string; readonly sidecar: string; readonly tests: string },
): Promise<Pick<PodRun, "succeeded" | "printed">> {
  const place = [`--name=${names.tests}`, `--network=container:${names.sidecar}`, `--entrypoint=${shell}`];
  return docker("run", ...place, ...wordsOf(env), names.testsImage, ...options, ...args).then(
    (printed) => ({ succeeded: true, printed }),
    (fault: unknown) => ({ succeeded: false, printed: z.object({ stdout: z.string() }).parse(fault).stdout }),
  );
}

function wordsOf(env: z.output<typeof variables>): string[] {
  return env.map(({ name, value }) => `--env=${name}=${value}`);
}
