import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { ROOT } from "../support/copy-tree.ts";
import { listenLocally } from "../support/gateway/local-server.ts";
import { folderIn, run, SHORT_LIVED_JAVA } from "./run.ts";

const installed = inject("installed");

/** Opens an account, closes it twice and lets a failure of its own end the last block; prints what failed. */
const CLIENTS = {
  node: {
    tool: process.execPath,
    file: "use.mjs",
    program: `import { connectSandbox } from "kredo";
      try {
        const account = await (await connectSandbox()).account();
        await account.close();
        await account.close();
        throw new Error("the test's own");
      } catch (error) { console.log(error.message); }`,
  },
  python: {
    tool: "/usr/bin/python3",
    file: "use.py",
    program: `import sys; sys.dont_write_bytecode = True; sys.path.insert(0, "${ROOT}/clients/python")
import kredo
try:
    with kredo.connect().open_account() as account:
        account.close()
        account.close()
        raise ValueError("the test's own")
except Exception as error:
    print(error)`,
  },
  php: {
    tool: "/usr/bin/php",
    file: "use.php",
    program: `<?php require "${ROOT}/clients/php/Kredo.php";
      try {
        $account = Kredo\\Sandbox::connect()->openAccount();
        $account->close();
        $account->close();
        throw new Exception("the test's own");
      } catch (Exception $error) { echo $error->getMessage(); }`,
  },
  java: {
    tool: "/usr/bin/javac",
    file: "Use.java",
    program: `class Use {
      public static void main(String[] words) {
        try (var account = kredo.Kredo.connect().openAccount(java.util.Map.of())) {
          account.close();
          account.close();
          throw new IllegalStateException("the test's own");
        } catch (RuntimeException error) { System.out.println(error.getMessage()); }
      }
    }`,
  },
};

describe.each(Object.entries(CLIENTS))("the client for %s", (language, { tool, file, program }) => {
  // In CI, everything has to be there.
  const isMissing = process.env["CI"] !== "true" && !existsSync(tool);
  const folder = folderIn(installed);

  beforeAll(async () => {
    writeFileSync(join(folder, file), program);
    if (language === "java" && !isMissing)
      await run(folder, tool, "-d", folder, join(ROOT, "clients/java/kredo/Kredo.java"), file);
  });

  const words = language === "java" ? ["java", ...SHORT_LIVED_JAVA, "-cp", folder, "Use"] : [tool, file];

  test.skipIf(isMissing)("closes an account twice, calls no proxy, and hides no failure of a test", async () => {
    await using sandbox = await createSandbox();
    await using stranger = await openStranger(200);

    const printed = await use(folder, words, { url: sandbox.url, proxy: stranger.url });

    expect(printed).toBe("the test's own");
  });

  test.skipIf(isMissing).each([200, 302, 404, 500])("says who answers %i with a page of its own", async (status) => {
    await using stranger = await openStranger(status);

    const printed = await use(folder, words, { url: stranger.url, proxy: "" });

    expect(printed).toBe(`${stranger.url} answered ${status} but is not a Kredo sandbox; correct KREDO_URL`);
  });

  test.skipIf(isMissing).each([
    ["hangs up", ""],
    ["speaks another protocol", "SSH-2.0-OpenSSH\r\n"],
  ])("says that no sandbox answers where a server %s", async (_what, text) => {
    await using silent = await openServer(text);

    const printed = await use(folder, words, { url: silent.url, proxy: "" });

    expect(printed).toMatch(/^no sandbox answers at \S+ \(.+\); start one with kredo serve, or correct KREDO_URL$/);
    expect(printed).toContain(silent.url);
  });
});

/** A server without HTTP, which answers every request with this text and hangs up. */
async function openServer(text: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createTcpServer((socket) => void socket.on("error", () => {}).once("data", () => socket.end(text)));
  const { port, close } = await listenLocally(server);
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

/** A web server that has a page for every path. */
async function openStranger(status: number): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_request, response) =>
    response.writeHead(status, { "content-type": "text/html" }).end("<!doctype html><title>Intranet</title>"),
  );
  const { port, close } = await listenLocally(server);
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

interface Addresses {
  readonly url: string;
  readonly proxy: string;
}

/** Runs a program with a sandbox's address and a proxy's in the environment, and returns what it printed. */
async function use(
  folder: string,
  [command = "", ...words]: readonly string[],
  { url, proxy }: Addresses,
): Promise<string> {
  const env = { ...process.env, KREDO_URL: url, http_proxy: proxy, HTTP_PROXY: proxy, no_proxy: "", NO_PROXY: "" };
  const { stdout } = await promisify(execFile)(command, words, { cwd: folder, env });
  return stdout.trim();
}
