import { createServer, type IncomingMessage } from "node:http";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { callApplication } from "../../../src/verdict/application/ask.ts";
import { listenLocally } from "../../support/gateway/local-server.ts";

/** A request as an application's framework gives it: every part is decoded. */
interface Received {
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Starts an application that remembers the last request. */
async function startApplication() {
  let last: Received | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const [path = "", query] = (request.url ?? "").split("?");
      const segments = path.split("/").map(decodeURIComponent);
      const body = Buffer.concat(chunks).toString();
      last = { segments, query: new URLSearchParams(query), headers: request.headers, body };
      response.end("{}");
    });
  });
  const { port, close } = await listenLocally(server);
  return { url: `http://127.0.0.1:${port}`, received: () => last, [Symbol.asyncDispose]: close };
}

const XML: Readonly<Record<string, string>> = { "&#38;": "&", "&#60;": "<", "&#62;": ">", "&#34;": '"', "&#39;": "'" };

/** A place for a placeholder in an app map's request, and how an application reads it. */
const PLACES: readonly (readonly [
  place: string,
  request: (placeholder: string) => Omit<Parameters<typeof callApplication>[0], "url"> & { readonly url?: string },
  read: (request: Received) => unknown,
])[] = [
  ["a path segment", (written) => ({ url: `{app}/orders/${written}/status` }), ({ segments }) => segments[2]],
  ["a query", (written) => ({ url: `{app}/orders?of=${written}&x=1` }), ({ query }) => query.get("of")],
  [
    "a query of the application itself",
    (written) => ({ url: `{app}?of=${written}&x=1` }),
    ({ query }) => query.get("of"),
  ],
  ["a JSON body", (written) => ({ json: { of: [written] } }), ({ body }) => JSON.parse(body).of[0]],
  [
    "a body written as JSON",
    (written) => ({ headers: { "Content-Type": "application/json" }, body: `{"of":"${written}"}` }),
    ({ body }) => JSON.parse(body).of,
  ],
  [
    "a form",
    (written) => ({ headers: { "Content-Type": "Application/X-WWW-Form-URLencoded" }, body: `of=${written}&x=1` }),
    ({ body }) => new URLSearchParams(body).get("of"),
  ],
  [
    "XML",
    (written) => ({ headers: { "content-type": "application/soap+xml" }, body: `<of a="1">${written}</of>` }),
    ({ body }) => body.slice(10, -5).replaceAll(/&#\d+;/g, (sign) => XML[sign] ?? sign),
  ],
  [
    "a text",
    (written) => ({ headers: { "content-type": "text/plain" }, body: `of ${written}` }),
    ({ body }) => body.slice(3),
  ],
  ["a header", (written) => ({ headers: { "x-of": `<${written}>` } }), ({ headers }) => headers["x-of"]?.slice(1, -1)],
];

const NAMES = ["phone_number", "local_number", "plus_number", "amount", "message", "reference", "id"];
const CASES = PLACES.flatMap(([place, request, read]) =>
  NAMES.map((name) => [`{${name}}`, place, request, read] as const),
);

test.each(CASES)("%s in %s arrives as it is, whatever its value", async (placeholder, place, request, read) => {
  const visible = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12 });
  const any = fc.string({ unit: "binary", minLength: 1, maxLength: 12 }).filter((text) => !/^\.{1,2}$/.test(text));
  const known = fc.constantFrom("+254712345678", "a/b?c#d&e=f", "100% ☕", `"it's"\\`, "order:7@shop", "<&>", " ");
  const values = place === "a header" ? visible : fc.oneof(known, any);

  await using application = await startApplication();
  const others = [["app", application.url] as const];

  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const filled = { url: "{app}/orders", ...request(placeholder) };

      await callApplication(filled, new Map([...others, ...NAMES.map((name) => [name, value] as const)]));

      const received = application.received();
      expect(received && read(received)).toBe(value);
    }),
    { numRuns: 10 },
  );
});

test("a header's characters that a header may not have are percent-encoded", async () => {
  await using application = await startApplication();
  const values = new Map([
    ["app", application.url],
    ["message", "Sawa ☕\n"],
  ]);

  await callApplication({ url: "{app}/", headers: { "x-of": "{message}" } }, values);

  expect(application.received()?.headers["x-of"]).toBe("Sawa %E2%98%95%0A");
});

test("an id that is a path continues the application's address", async () => {
  await using application = await startApplication();
  const values = new Map([
    ["app", application.url],
    ["id", "/orders/7"],
  ]);

  await callApplication({ url: "{app}{id}?full=1" }, values);

  expect(application.received()?.segments).toEqual(["", "orders", "7"]);
});
