import { listCalls } from "./list-calls.ts";
import type { ApiDescription } from "./openapi.ts";
import { EXAMPLE_ACCOUNT, isOfGateway, methodOf, pathOf, type RecordedCall } from "./api-examples.ts";

/**
 * Converts the examples to a Postman collection (format 2.1), which Bruno, Insomnia and Hoppscotch can import. Run from top to bottom, it
 * opens its own account, uses every call and deletes the account.
 */
export function writeCollection(description: ApiDescription, recorded: readonly RecordedCall[]): object {
  const summaries = new Map(
    listCalls(description).flatMap(({ calls }) =>
      calls.map(({ method, path, summary }) => [`${method} ${path}`, summary]),
    ),
  );
  return {
    info: {
      name: "Kredo",
      description:
        "The gateway and the control API of a Kredo sandbox. Set base_url, and admin_token where the sandbox has one. Run it from top to bottom: it uses an account of its own.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [text("token", "{{admin_token}}")] },
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value })),
    item: recorded.map((made) => item(made, summaries.get(made.call) ?? made.call)),
  };
}

const VARIABLES = {
  base_url: "http://127.0.0.1:8254",
  admin_token: "",
  account: EXAMPLE_ACCOUNT.consumer_key,
  ...EXAMPLE_ACCOUNT,
  request_id: "",
  sender_id: "",
  journal: "",
};

function item(made: RecordedCall, summary: string): object {
  return {
    name: summary,
    event: [{ listen: "test", script: { type: "text/javascript", exec: script(made) } }],
    request: request(made),
    response: [
      { name: `${made.status}`, originalRequest: request(made), code: made.status, header: [], body: made.text },
    ],
  };
}

function request(made: RecordedCall): object {
  const basic = {
    type: "basic",
    basic: [text("username", "{{consumer_key}}"), text("password", "{{consumer_secret}}")],
  };
  return {
    method: methodOf(made),
    url: urlOf(pathOf(made)),
    header: made.body === undefined ? [] : [{ key: "Content-Type", value: "application/json" }],
    ...(made.body !== undefined && { body: { mode: "raw", raw: bodyOf(made.body) } }),
    ...(isOfGateway(made) && { auth: basic }),
  };
}

function urlOf(path: string): object {
  const [pathname = "", search = ""] = path.split("?");
  const query = [...new URLSearchParams(search)].map(([key, value]) => ({ key, value }));
  return {
    raw: `{{base_url}}${path}`,
    host: ["{{base_url}}"],
    path: pathname.slice(1).split("/"),
    ...(query.length > 0 && { query }),
  };
}

function bodyOf(body: object | string): string {
  return typeof body === "string" ? `{{${body}}}` : JSON.stringify(body, null, 2);
}

function script({ status, saves = {} }: RecordedCall): string[] {
  const saved = Object.entries(saves).map(([name, path]) => {
    const value =
      path.length === 0
        ? "pm.response.text()"
        : `pm.response.json()${path.map((key) => `[${JSON.stringify(key)}]`).join("")}`;
    return `pm.collectionVariables.set(${JSON.stringify(name)}, ${value});`;
  });
  return [`pm.test("answers ${status}", () => pm.response.to.have.status(${status}));`, ...saved];
}

function text(key: string, value: string): object {
  return { key, value, type: "string" };
}
