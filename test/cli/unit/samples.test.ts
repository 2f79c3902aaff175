import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { initFiles } from "../../../src/cli/init/init-files.ts";
import { typeProblems } from "../../support/manifest-types.ts";
import { readServeOptions } from "../../support/serve-options.ts";
import { IMAGE, REPOSITORY, VERSION } from "../../../src/version.ts";

const written = initFiles(IMAGE);

function sample(name: string): string {
  return readFileSync(new URL(`../../../docs/samples/${name}`, import.meta.url), "utf8");
}

test("the sample for Compose runs the sandbox as the file of kredo init does, but for whom it calls back and its config file", () => {
  const { kredo: sampled } = parse(sample("compose/compose.yaml")).services;
  const { kredo: initial } = parse(written.get("compose.kredo.yaml") ?? "").services;
  const { environment: _1, ...ofSample } = sampled;
  const { environment: _2, volumes: _3, ...ofInit } = initial;

  expect(ofSample).toEqual(ofInit);
  expect(ofSample.extra_hosts).toEqual(["host.docker.internal:host-gateway"]);
});

test("the samples for GitLab, Compose, Kubernetes and GitHub configure the sandbox alike", () => {
  const github = parse(sample("github-service.yml")).jobs.test.services.kredo.env;
  const { HEALTHCHECK_TCP_PORT: port, ...gitlab } = parse(sample("gitlab.yml")).test.services[0].variables;
  const { KREDO_CONFIG_INLINE: _, ...withoutInline } = github;
  const compose = parse(sample("compose/compose.yaml")).services.kredo.environment;

  expect(gitlab).toEqual(calledBack(github, "build"));
  expect(variablesOf(sidecarJob().initContainers[0])).toEqual(calledBack(github, "localhost"));
  expect(compose).toEqual(calledBack(withoutInline, "shop"));
  expect(port).toBe("8254");
});

test("what the samples set is what serve understands, a job's variables on GitLab among them", async () => {
  const { variables, services } = parse(sample("gitlab.yml")).test;

  const options = await readServeOptions(
    [],
    { ...variables, ...services[0].variables },
    { read: () => ({ missing: true }) },
  );

  expect(options).toMatchObject({
    warnings: [],
    settings: {
      seed: 7,
      accounts: [{ consumer_key: variables.KREDO_CONSUMER_KEY, consumer_secret: variables.KREDO_CONSUMER_SECRET }],
    },
    scenarios: [{ scenario: { name: "magic-numbers" } }],
  });
});

test("the samples for GitLab, Kubernetes and GitHub tell the tests alike where the sandbox is", () => {
  const github = parse(sample("github-service.yml")).jobs.test.env;
  const { FF_NETWORK_PER_BUILD: _, ...gitlab } = parse(sample("gitlab.yml")).test.variables;
  const kubernetes = variablesOf(sidecarJob().containers[0]);

  expect(gitlab).toEqual(JSON.parse(JSON.stringify(github).replaceAll("127.0.0.1", "kredo")));
  expect(kubernetes).toEqual(JSON.parse(JSON.stringify(github).replaceAll("127.0.0.1", "localhost")));
});

test("the sample for Kubernetes is of Kubernetes' own types", () => {
  expect(typeProblems(sample("kubernetes-sidecar.yaml"))).toBe("");
});

test("the sidecar's probes ask the paths for it at its port, and it may do no more than the image needs", () => {
  const [kredo] = sidecarJob().initContainers;
  const [replica] = replicaContainers();
  const { startupProbe, readinessProbe, livenessProbe, ports, securityContext } = kredo;
  const port = ports[0].name;

  expect(ports).toEqual([{ name: port, containerPort: 8254 }]);
  expect(startupProbe.httpGet).toEqual({ path: "/readyz", port });
  expect(readinessProbe.httpGet).toEqual({ path: "/readyz", port });
  expect(livenessProbe.httpGet).toEqual({ path: "/livez", port });
  expect(securityContext).toEqual({ ...replica.securityContext, runAsUser: 1000 });
});

test.each(["github-service.yml", "gitlab.yml", "compose/compose.yaml", "kubernetes-sidecar.yaml"])(
  "%s names the image of this version",
  (name) => {
    expect(sample(name)).toContain(`${IMAGE}\n`);
  },
);

test("the sample of the action names this version, or a clone until there is a repository", () => {
  const named = [...sample("github-action.yml").matchAll(/uses: (\S+\/kredo\S*)/g)].map(([, name]) => name);

  expect(named).toEqual(
    REPOSITORY === ""
      ? ["./kredo", "./kredo/action/stop"]
      : [`${REPOSITORY}@v${VERSION}`, `${REPOSITORY}/action/stop@v${VERSION}`],
  );
});

test("docs/ci.md names each input and output of the action", () => {
  const { inputs, outputs } = parse(readFileSync(new URL("../../../action.yml", import.meta.url), "utf8"));
  const page = readFileSync(new URL("../../../docs/ci.md", import.meta.url), "utf8");
  const section = page.slice(page.indexOf("## Use the GitHub action"));
  const named = [...section.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
  );

  expect(named).toEqual([...Object.keys(inputs), ...Object.keys(outputs)]);
});

/** What its pods consist of. */
function sidecarJob() {
  return parse(sample("kubernetes-sidecar.yaml")).spec.template.spec;
}

function replicaContainers() {
  const text = readFileSync(new URL("../../../examples/replicas/kubernetes.yaml", import.meta.url), "utf8");
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .flatMap(({ kind, spec }) => (kind === "Deployment" ? spec.template.spec.containers : []));
}

function variablesOf({ env }: { env: { name: string; value: string }[] }): Record<string, string> {
  return Object.fromEntries(env.map(({ name, value }) => [name, value]));
}

/** The same for who is called back by this name. */
function calledBack(env: object, host: string): unknown {
  return JSON.parse(JSON.stringify(env).replaceAll("host.docker.internal", host));
}
