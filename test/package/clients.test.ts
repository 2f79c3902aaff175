import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, inject, test } from "vitest";
import { PROFILES } from "../../src/gateway/settings/profiles.ts";
import { ROOT } from "../support/copy-tree.ts";
import { folderIn, run, SHORT_LIVED_JAVA } from "./run.ts";

const installed = inject("installed");

test.skipIf(isMissing("/usr/bin/pip3"))("pip installs the Python client from its folder", async () => {
  const { client, project } = copyClient("python");

  // With Debian's setuptools, because pip would download its own.
  await run(project, "/usr/bin/pip3", "install", "--no-index", "--no-build-isolation", "--target=site", client);

  const imported = await run(
    project,
    "/usr/bin/python3",
    "-c",
    "import sys; sys.path[:0] = ['site']; import kredo; print(kredo.__file__)",
  );
  expect(imported).toBe(join(project, "site/kredo/__init__.py"));
});

test.skipIf(isMissing("/usr/bin/pip3") || isMissing("/usr/bin/mypy"))(
  "the Python client passes mypy --strict, and so does a program that uses the installed one",
  async () => {
    const { client, project } = copyClient("python");
    writeFileSync(join(project, "use.py"), PROGRAM);
    await run(project, "/usr/bin/python3", "-m", "venv", "--without-pip", "env");
    const [python = ""] = readdirSync(join(project, "env/lib"));
    const packages = `env/lib/${python}/site-packages`;
    await run(
      project,
      "/usr/bin/pip3",
      "install",
      "--no-index",
      "--no-build-isolation",
      `--target=${packages}`,
      client,
    );

    const checked = await Promise.all([
      run(project, "/usr/bin/mypy", "--strict", "--cache-dir=own", join(client, "kredo")),
      run(project, "/usr/bin/mypy", "--strict", "--cache-dir=use", "--python-executable=env/bin/python", "use.py"),
    ]);

    expect(checked).toEqual([expect.stringMatching(/^Success/), expect.stringMatching(/^Success/)]);
  },
);

const PROGRAM = `import kredo

with kredo.connect().open_account(balance="500.00") as account:
    attempts: list[kredo.Attempt] = account.sent()
    account.verify({"gte": 1}, operation="airtime", status_code=200)
    states: set[str] = {transaction["state"] for transaction in account.transactions(phone_number=254712345678)}
    print(attempts[0]["acknowledged"], states, account.wallet()["available"])
`;

test.skipIf(isMissing("/usr/bin/composer"))("Composer requires the PHP client from its folder", async () => {
  const { client, project } = copyClient("php");
  writeFileSync(
    join(project, "composer.json"),
    JSON.stringify({ repositories: { kredo: { type: "path", url: client } } }),
  );

  await run(project, "composer", "require", "--dev", "--no-interaction", "--quiet", "kredo/client");

  const program = 'require "vendor/autoload.php"; echo Kredo\\Sandbox::connect("http://localhost:1")->url;';
  expect(await run(project, "php", "-r", program)).toBe("http://localhost:1");
});

test.skipIf(isMissing("/usr/bin/mvn"))(
  "Maven installs the Java client from its folder, and a project depends on it",
  async () => {
    const { client, project } = copyClient("java");
    writeFileSync(join(project, "settings.xml"), settings(join(project, "repository")));
    writeFileSync(join(project, "pom.xml"), POM);
    mkdirSync(join(project, "src/main/java"), { recursive: true });
    writeFileSync(
      join(project, "src/main/java/Use.java"),
      'class Use { kredo.Kredo sandbox = kredo.Kredo.connect("http://localhost:1", null); }',
    );

    const maven = [`MAVEN_OPTS=${SHORT_LIVED_JAVA.join(" ")}`, "/usr/bin/mvn", "-q", "-s", "settings.xml"];
    await run(project, "env", ...maven, "-f", client, "install");
    await run(project, "env", ...maven, "compile");

    expect(existsSync(join(project, "target/classes/Use.class"))).toBe(true);
  },
);

const KREDO = join(installed, "node_modules/kredo/dist/kredo.js");
const CLIENTS = join(ROOT, "clients");

const PHP_TESTS = ["--do-not-cache-result", "--bootstrap", "php/tests/bootstrap.php", "php/tests"];

test.skipIf(isMissing("/usr/bin/phpunit")).each(PROFILES)(
  "the PHP client and orders from PHP work with profile %s",
  async (profile) => {
    const printed = await run(
      CLIENTS,
      process.execPath,
      KREDO,
      "exec",
      "--profile",
      profile,
      "--",
      "phpunit",
      ...PHP_TESTS,
    );

    expect(printed).toMatch(/^OK \(/m);
    expect(existsSync(join(CLIENTS, ".phpunit.result.cache"))).toBe(false);
  },
);

/** Debian has one version of PHP; these run in Node, as WebAssembly. */
const PHP_WASM = "@php-wasm/cli@3.1.56";
const PHP_VERSIONS = ["8.1", "8.2", "8.3", "8.4"];

test.skipIf(isMissing("/usr/bin/phpunit"))("the PHP client works with PHP 8.1 to 8.4 without a notice", async () => {
  const folder = folderIn(installed);
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  await run(folder, "npm", "install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", PHP_WASM);
  const php = [join(folder, "node_modules/@php-wasm/cli/main.js"), "-d", "include_path=.:/usr/share/php"];
  const tests = [process.execPath, ...php, "/usr/bin/phpunit", ...PHP_TESTS];

  const printed = await Promise.all(
    PHP_VERSIONS.map((version) =>
      run(CLIENTS, "env", `PHP=${version}`, process.execPath, KREDO, "exec", "--", ...tests),
    ),
  );

  // Half a gigabyte.
  await rm(folder, { recursive: true });
  expect(printed).toEqual(PHP_VERSIONS.map(() => expect.stringMatching(/^OK \(/m)));
});

const JUNIT = "/usr/share/java/junit-platform-console.jar";

test.skipIf(isMissing(JUNIT) || isMissing("/usr/bin/javac"))(
  "the Java client and orders from Java work with every profile",
  async () => {
    const classes = folderIn(installed);
    const jars = readdirSync(dirname(JUNIT)).filter((name) =>
      /^(junit|opentest4j|apiguardian|picocli).*\.jar$/.test(name),
    );
    const path = [classes, ...jars.map((name) => join(dirname(JUNIT), name))].join(":");
    await run(CLIENTS, "javac", "-d", classes, "-cp", path, "java/kredo/Kredo.java", "java/test/KredoTest.java");
    const launcher = "org.junit.platform.console.ConsoleLauncher";
    const tests = ["java", ...SHORT_LIVED_JAVA, "-cp", path, launcher, "--disable-banner", "--scan-classpath", classes];

    const printed = await Promise.all(
      PROFILES.map((profile) => run(CLIENTS, process.execPath, KREDO, "exec", "--profile", profile, "--", ...tests)),
    );

    expect(printed).toEqual(PROFILES.map(() => expect.stringContaining(" 0 tests failed ")));
  },
);

/** In CI, everything has to be there. */
function isMissing(tool: string): boolean {
  return process.env["CI"] !== "true" && !existsSync(tool);
}

/** Copies a client out of the package, because these tools write into its folder. */
function copyClient(language: string): { client: string; project: string } {
  const project = folderIn(installed);
  const client = join(project, "client");
  cpSync(join(installed, "node_modules/kredo/clients", language), client, { recursive: true });
  return { client, project };
}

/** Maven takes its plug-ins from Debian's packages, where they are. */
function settings(repository: string): string {
  const mirror = "<mirror><id>debian</id><mirrorOf>*</mirrorOf><url>file:///usr/share/maven-repo</url></mirror>";
  const mirrors = existsSync("/usr/share/maven-repo") ? `<mirrors>${mirror}</mirrors>` : "";
  return `<settings><localRepository>${repository}</localRepository>${mirrors}</settings>`;
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId>
  <artifactId>shop</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>kredo</groupId>
      <artifactId>kredo-client</artifactId>
      <version>0.1.0</version>
    </dependency>
  </dependencies>
</project>
`;
