import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, inject, test } from "vitest";
import { IMAGE } from "../../../src/version.ts";
import { startReceiver } from "../receiver.ts";

const SAMPLES = new URL("../../../docs/samples/testcontainers/", import.meta.url);

test("the Java sample sells a top-up, and the container calls this machine back", async () => {
  await using receiver = await startReceiver();
  const folder = mkdtempSync(join(tmpdir(), "kredo-java-"));
  mkdirSync(join(folder, "src/test/java"), { recursive: true });
  writeFileSync(join(folder, "src/test/java/KredoTest.java"), readSample("KredoTest.java", receiver.port));
  writeFileSync(join(folder, "pom.xml"), POM);
  await install(folder, "mvn --batch-mode --quiet test-compile");

  const printed = await run(folder, "mvn --batch-mode test");

  expect(printed).toContain("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
  expect(receiver.paths).toEqual(["/hooks"]);
});

test("the Python sample sells a top-up, and the container calls this machine back", async () => {
  await using receiver = await startReceiver();
  const folder = mkdtempSync(join(tmpdir(), "kredo-python-"));
  writeFileSync(join(folder, "test_kredo.py"), readSample("test_kredo.py", receiver.port));
  await install(folder, "python3 -m venv env");
  await install(folder, "env/bin/pip install --quiet testcontainers==4.15.0 pytest");

  const printed = await run(folder, "env/bin/python -m pytest");

  expect(printed).toMatch(/=+ 1 passed\b/);
  expect(receiver.paths).toEqual(["/hooks"]);
});

/** With the image that was built, and a callback that is sent before the order is answered: the sample's container ends with its test. */
function readSample(name: string, port: number): string {
  return readFileSync(new URL(name, SAMPLES), "utf8")
    .replaceAll(IMAGE, inject("image"))
    .replaceAll(":3000", `:${port}`)
    .replace(/(\.with_?env\()(?="KREDO_CALLBACK_URL")/i, '$1"KREDO_SCENARIO", "callback-before-ack")$1');
}

/** Says in one line what is missing: these tests are never skipped. */
async function install(folder: string, command: string): Promise<void> {
  const { code, printed } = await runCommand(folder, command);
  const said = printed.split("\n").find((line) => line.includes("ERROR")) ?? printed.trim();
  if (code !== 0) throw new Error(`Missing what "${command}" installs: ${said}`);
}

async function run(folder: string, command: string): Promise<string> {
  const { code, printed } = await runCommand(folder, command);
  if (code !== 0) throw new Error(`"${command}" printed\n${printed}`);
  return printed;
}

async function runCommand(cwd: string, command: string): Promise<{ code: number | null; printed: string }> {
  const child = spawn(`${command} 2>&1`, { cwd, shell: true, stdio: ["ignore", "pipe", "inherit"] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { code, printed };
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
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.13.4</version>
      <scope>test</scope>
    </dependency>
    <dependency>
      <groupId>org.testcontainers</groupId>
      <artifactId>testcontainers-junit-jupiter</artifactId>
      <version>2.0.5</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.5.2</version>
      </plugin>
    </plugins>
  </build>
</project>
`;
