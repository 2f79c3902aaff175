import { expect, test } from "vitest";
import { testControl } from "../support/control.ts";
import { startTestSandbox } from "../support/sandbox.ts";

test("shows every call of gateway and control API, with its keys and answers", async () => {
  const control = testControl();
  const { body: description } = await control.call("GET", "/openapi.json");

  const page = await (await control.page("/docs")).text();

  const calls = Object.entries<object>(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `<span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code>`,
    ),
  );
  expect(calls.length).toBeGreaterThan(40);
  expect(calls.filter((call) => !page.includes(call))).toEqual([]);
  expect(page).toContain("<code>match.phone_number</code>");
});

test("needs nothing from elsewhere, and no script", async () => {
  const control = testControl();

  const answer = await control.page("/docs");

  const page = await answer.text();
  const addresses = [...page.matchAll(/(?:src|href)="([^"#][^"]*)"/g)].map(([, address]) => address);
  expect(new Set(addresses)).toEqual(new Set(["/docs/style.css", "/", "/__admin/openapi.json"]));
  expect(page).not.toMatch(/<script|<style| style=| on\w+=/);
  expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'self';/);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
});

test("has its style sheet beside it", async () => {
  const answer = await testControl().page("/docs/style.css");

  expect(answer.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(await answer.text()).toContain("--accent");
});

test("asks for no admin token, for it shows no account", async () => {
  const control = testControl({ control: { adminToken: "owner" } });

  const answer = await control.page("/docs");

  expect(answer.status).toBe(200);
});

test("is refused to a name that is not this server's", async () => {
  const answer = await testControl().page("/docs", { headers: { host: "attacker.example" } });

  expect(answer.status).toBe(421);
});

test("is at /docs of a sandbox", async () => {
  await using sandbox = await startTestSandbox();

  const answer = await fetch(`http://127.0.0.1:${sandbox.port}/docs`);

  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("/__admin/accounts/{account}/wallet");
});
