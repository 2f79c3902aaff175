import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";

interface Item {
  readonly name: string;
  readonly event: readonly { readonly script: { readonly exec: readonly string[] } }[];
  readonly request: {
    readonly method: string;
    readonly url: { readonly raw: string };
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly body?: { readonly raw: string };
    readonly auth?: { readonly basic: readonly { readonly key: string; readonly value: string }[] };
  };
}

const collection: { variable: readonly { key: string; value: string }[]; item: readonly Item[] } = JSON.parse(
  readFileSync(new URL("../../../schema/postman.json", import.meta.url), "utf8"),
);

test(
  "the collection runs from top to bottom as Postman runs it, also where a token is asked, and leaves nothing behind",
  { timeout: 120_000 },
  async () => {
    await using sandbox = await createSandbox({ admin: { token: "secret" } });
    const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
    variables.set("base_url", sandbox.url).set("admin_token", "secret");

    const results: string[] = [];
    for (const item of collection.item) results.push(await play(item, variables));

    expect(results).toEqual(collection.item.map(({ name }) => `${name}: as expected`));
    const left = await fetch(`${sandbox.url}/__admin/accounts`, { headers: { authorization: "Bearer secret" } });
    expect(await left.json()).toMatchObject({ total: 1 });
  },
);

/** Sends one request, then runs its test script. */
async function play({ name, event, request }: Item, variables: Map<string, string>): Promise<string> {
  const fill = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => variables.get(key) ?? `no ${key}`);
  const [username, password] = request.auth?.basic.map(({ value }) => fill(value)) ?? [];
  const authorization =
    username === undefined ? fill("Bearer {{admin_token}}") : `Basic ${btoa(`${username}:${password}`)}`;
  const response = await fetch(fill(request.url.raw), {
    method: request.method,
    headers: { ...Object.fromEntries(request.header.map(({ key, value }) => [key, value])), authorization },
    ...(request.body && { body: fill(request.body.raw) }),
  });
  const text = await response.text();
  const failures: string[] = [];
  const pm = {
    test: (_: string, check: () => void) => check(),
    response: {
      to: {
        have: {
          status: (wanted: number) => void (response.status === wanted || failures.push(`${response.status} ${text}`)),
        },
      },
      text: () => text,
      json: () => JSON.parse(text),
    },
    collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
  };
  for (const { script } of event) runInNewContext(script.exec.join("\n"), { pm });
  return `${name}: ${failures.join(", ") || "as expected"}`;
}
