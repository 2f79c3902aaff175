import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { createNetwork, docker, firstVerdict, startContainer } from "./docker.ts";

const image = inject("image");
const credentials = `Basic ${Buffer.from("sandbox-key:sandbox-secret").toString("base64")}`;

test("becomes healthy by its own check, and its gateway answers on the published port", async () => {
  await using container = await startContainer(image);

  const verdict = await firstVerdict(container);
  const answer = await fetch(`${container.url}/api/v2/account-details`, { headers: { authorization: credentials } });

  expect(verdict).toBe("healthy");
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    status_code: 200,
    organization: { details: { available_balance: 10_000 } },
  });
});

test("takes its settings from the environment", async () => {
  await using container = await startContainer(image, "--env=KREDO_BALANCE=12.50");

  await firstVerdict(container);
  const answer = await fetch(`${container.url}/api/v2/account-details`, { headers: { authorization: credentials } });

  expect(await answer.json()).toMatchObject({ organization: { details: { available_balance: 12.5 } } });
});

test("warns at its start of a callback URL that means the container itself, and says what to write", async () => {
  await using container = await startContainer(image, "--env=KREDO_CALLBACK_URL=http://localhost:3000/hooks");

  await firstVerdict(container);

  expect(await docker("logs", container.id)).toMatch(
    /warning: callbacks to http:\/\/localhost:3000\/hooks stay in this container, .* write http:\/\/host\.docker\.internal:3000\/hooks /,
  );
});

test.each(["KREDO_PORT=9000", "PORT=9100", "KREDO_CONFIG_INLINE=port: 9200"])(
  "becomes healthy on the port of %s",
  async (variable) => {
    await using container = await startContainer(image, `--env=${variable}`);

    const verdict = await firstVerdict(container);

    expect(verdict).toBe("healthy");
  },
);

test("finds the config in /config, and scenarios by their paths from there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kredo-config-"));
  mkdirSync(join(folder, "scenarios"));
  writeFileSync(
    join(folder, "kredo.config.yaml"),
    "scenarios: [./scenarios/mine.yaml]\naccounts: [{ consumer_key: shop }]\n",
  );
  writeFileSync(
    join(folder, "scenarios", "mine.yaml"),
    "version: 1\nname: mine\nrules: [{ name: full, then: { refuse: 429 } }]\n",
  );
  chmodSync(folder, 0o755);
  await using container = await startContainer(image, `--volume=${folder}:/config:ro`);

  await firstVerdict(container);
  const scenarios = await fetch(`${container.url}/__admin/accounts/shop/scenarios`);

  expect(await scenarios.json()).toMatchObject({ items: [{ name: "mine" }, { name: "magic-numbers" }] });
});

// docker-stop(1): after that second the engine would kill it, which is exit code 137.
test("stops on SIGTERM by itself, within a second, with exit code 0", async () => {
  await using container = await startContainer(image);
  await firstVerdict(container);

  await docker("stop", "--time=1", container.id);

  expect(await docker("inspect", "--format={{.State.ExitCode}} {{.State.OOMKilled}}", container.id)).toBe("0 false");
});

test("refuses a bad setting with exit code 2 and a sentence", async () => {
  const run = docker("run", "--rm", "--env=KREDO_BALANCE=plenty", image);

  await expect(run).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('KREDO_BALANCE: "plenty" is not an amount'),
  });
});

test("runs as a user of its own, and has no shell", async () => {
  const user = await docker(
    "run",
    "--rm",
    "--entrypoint=node",
    image,
    "--print",
    "`${process.getuid()} ${os.userInfo().username}`",
  );
  const shell = docker("run", "--rm", "--entrypoint=/bin/sh", image, "-c", "true");

  expect(user).toBe("1000 node");
  await expect(shell).rejects.toMatchObject({ code: 127 });
});

test("holds production files only, which its user cannot change", async () => {
  const held = await docker("run", "--rm", "--entrypoint=node", image, "--print", "fs.readdirSync('/app').join(' ')");
  const writable = await docker("run", "--rm", "--entrypoint=node", image, "--eval", PRINT_WRITABLE);

  expect(held).toBe("LICENSE cache dist docs package.json scenarios schema");
  expect(writable.split("\n")).toEqual(["/tmp"]);
});

const PRINT_WRITABLE = `
  const print = (path) => { try { fs.accessSync(path, fs.constants.W_OK); console.log(path); } catch {} };
  const own = ["app", "config", "etc", "lib", "lib64", "tmp", "usr", "var"].map((name) => "/" + name).filter(fs.existsSync);
  for (const folder of own) for (const name of ["", ...fs.readdirSync(folder, { recursive: true })]) print(path.join(folder, name).replace(/\\/$/, ""));
`;

test("says what it is in labels, and which Debian packages its libraries are from", async () => {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );

  const labels = await docker("image", "inspect", "--format={{json .Config.Labels}}", image);
  const packages = await docker(
    "run",
    "--rm",
    "--entrypoint=node",
    image,
    "--print",
    "fs.readdirSync('/var/lib/dpkg/status.d').join(' ')",
  );

  expect(JSON.parse(labels)).toMatchObject({
    "org.opencontainers.image.title": "Kredo",
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.licenses": "MIT",
  });
  expect(packages).toBe("libc6 libgcc-s1 libstdc++6");
});

test("is called from another container on its network, and calls back to it", async () => {
  await using network = await createNetwork();
  await using sandbox = await startContainer(
    image,
    `--network=${network.name}`,
    "--network-alias=sandbox",
    "--env=KREDO_LATENCY=0",
  );
  await firstVerdict(sandbox);

  const caller = ["run", "--rm", `--network=${network.name}`, "--network-alias=shop", "--entrypoint=node"];
  const received = await docker(...caller, image, "--eval", BUY_AND_AWAIT_CALLBACK);

  expect(JSON.parse(received)).toMatchObject({ path: "/hooks", callback: { result_code: 200, charge: 95 } });
});

const BUY_AND_AWAIT_CALLBACK = `
  const send = (path, method, body) => fetch("http://sandbox:8254" + path, {
    method,
    headers: { "content-type": "application/json", authorization: "${credentials}" },
    body: JSON.stringify(body),
  });
  require("node:http").createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    console.log(JSON.stringify({ path: request.url, callback: JSON.parse(text) }));
    response.end(() => process.exit());
  }).listen(3000, async () => {
    await send("/__admin/accounts/default/callbacks", "PUT", { airtime: "http://shop:3000/hooks" });
    await send("/api/v2/airtime", "POST", { phone_number: "254712345678", amount: "100" });
  });
`;
