import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { initFiles } from "../../../src/cli/init/init-files.ts";
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

test("the samples for GitLab, Compose and GitHub configure the sandbox alike", () => {
  const github = parse(sample("github-service.yml")).jobs.test.services.kredo.env;
  const { HEALTHCHECK_TCP_PORT: port, ...gitlab } = parse(sample("gitlab.yml")).test.services[0].variables;
  const { KREDO_CONFIG_INLINE: _, ...withoutInline } = github;
  const compose = parse(sample("compose/compose.yaml")).services.kredo.environment;

  expect(gitlab).toEqual(calledBack(github, "build"));
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

test.each(["github-service.yml", "gitlab.yml", "compose/compose.yaml"])(
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

/** The same for who is called back by this name. */
function calledBack(env: object, host: string): unknown {
  return JSON.parse(JSON.stringify(env).replaceAll("host.docker.internal", host));
}
