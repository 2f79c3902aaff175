import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import * as z from "zod";

/** What the server says about one place; lines and characters are counted from 0. */
const require = createRequire(import.meta.url);

const diagnostic = z.object({
  message: z.string(),
  range: z.object({ start: z.object({ line: z.int(), character: z.int() }) }),
});

const published = z.object({
  method: z.literal("textDocument/publishDiagnostics"),
  params: z.object({ uri: z.string(), diagnostics: z.array(diagnostic) }),
});

const asked = z.object({ id: z.union([z.string(), z.number()]), method: z.string(), params: z.unknown() });

export type Diagnostic = z.output<typeof diagnostic>;

/** A file as an editor has it open. */
export interface OpenFile {
  readonly uri: string;
  readonly text: string;
}

/** Starts the YAML language server as an editor does, opens the file and takes the first verdict on it. */
export async function diagnose({ uri, text }: OpenFile): Promise<readonly Diagnostic[]> {
  const server = spawn(
    process.execPath,
    [require.resolve("yaml-language-server/bin/yaml-language-server"), "--stdio"],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const exited = once(server, "exit");
  try {
    send(server, { id: 0, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } });
    for await (const message of messagesOf(server)) {
      answer(server, message, { uri, text });
      const verdict = published.safeParse(message);
      if (verdict.success && verdict.data.params.uri === uri) return verdict.data.params.diagnostics;
    }
    throw new Error("the language server ended without a verdict");
  } finally {
    server.kill();
    await exited;
  }
}

/** Opens the file once the server is ready; whatever the server asks for, an editor without settings has nothing to say. */
function answer(server: ChildProcess, message: unknown, { uri, text }: OpenFile): void {
  const question = asked.safeParse(message);
  if (question.success)
    return send(server, {
      id: question.data.id,
      result: question.data.method === "workspace/configuration" ? [{}, {}, {}, {}, {}] : null,
    });
  if (typeof message !== "object" || message === null || !("id" in message) || message.id !== 0) return;
  send(server, { method: "initialized", params: {} });
  send(server, {
    method: "textDocument/didOpen",
    params: { textDocument: { uri, languageId: "yaml", version: 1, text } },
  });
}

function send(server: ChildProcess, message: object): void {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  server.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** The base protocol: a header with the length, an empty line, so many bytes of JSON. */
async function* messagesOf(server: ChildProcess): AsyncGenerator {
  let received: Buffer = Buffer.alloc(0);
  for await (const chunk of server.stdout ?? []) {
    received = Buffer.concat([received, chunk]);
    for (let next = split(received); next !== undefined; next = split(received)) {
      yield JSON.parse(next.body.toString());
      received = next.rest;
    }
  }
}

function split(received: Buffer): { body: Buffer; rest: Buffer } | undefined {
  const head = received.indexOf("\r\n\r\n");
  const length = Number(
    /Content-Length: (\d+)/i.exec(received.subarray(0, Math.max(0, head)).toString())?.[1] ?? Number.NaN,
  );
  const end = head + 4 + length;
  return head === -1 || received.length < end
    ? undefined
    : { body: received.subarray(head + 4, end), rest: received.subarray(end) };
}
