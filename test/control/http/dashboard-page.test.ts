import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { pageFilesOnDisk } from "../../../src/control/page-files-on-disk.ts";
import { createDashboard } from "../../../src/control/dashboard.ts";

test("shows the page to a browser, restricted to its own origin", async () => {
  const dashboard = builtDashboard({ "index.html": "<!doctype html>" });

  const answer = await dashboard.request("/", { headers: { accept: "text/html,*/*" } });

  expect(await answer.text()).toBe("<!doctype html>");
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'self';/);
  expect(answer.headers.get("content-security-policy")).not.toContain("unsafe");
});

test("tells a terminal client in a few lines what this is", async () => {
  const dashboard = builtDashboard({ "index.html": "<!doctype html>" });

  const answer = await dashboard.request("/", { headers: { accept: "*/*" } });

  expect(await answer.text()).toMatch(/^Kredo: /);
});

test("says what this is if the page was not built", async () => {
  const dashboard = createDashboard({
    files: pageFilesOnDisk(new URL("file:///nowhere/")),
    adminHosts: [],
    report: String,
  });

  const answer = await dashboard.request("/", { headers: { accept: "text/html" } });

  expect(await answer.text()).toMatch(/^Kredo: /);
});

test("lets assets be kept, for their names change with their content", async () => {
  const dashboard = builtDashboard({ "assets/main-1a2b.js": "export {};" });

  const answer = await dashboard.request("/assets/main-1a2b.js");

  expect(answer.headers.get("cache-control")).toContain("immutable");
  expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
});

test("sends the compressed files to clients that accept gzip", async () => {
  const dashboard = builtDashboard({ "assets/main-1a2b.js": "export {};", "assets/main-1a2b.js.gz": "compressed" });

  const answer = await dashboard.request("/assets/main-1a2b.js", { headers: { "accept-encoding": "gzip, br" } });
  const plain = await dashboard.request("/assets/main-1a2b.js");

  expect({ body: await answer.text(), encoding: answer.headers.get("content-encoding") }).toEqual({
    body: "compressed",
    encoding: "gzip",
  });
  expect({ body: await plain.text(), encoding: plain.headers.get("content-encoding") }).toEqual({
    body: "export {};",
    encoding: null,
  });
});

test.each(["/assets/none.js", "/assets/../secret.txt", "/assets/%2e%2e/%2e%2e/secret.js"])(
  "answers 404 at %s",
  async (path) => {
    const dashboard = builtDashboard({ "index.html": "<!doctype html>", "secret.txt": "s3cret" });

    const answer = await dashboard.request(path);

    expect(answer.status).toBe(404);
  },
);

test("refuses a name that a foreign DNS server could answer for", async () => {
  const dashboard = builtDashboard({ "index.html": "<!doctype html>" });

  const answer = await dashboard.request("http://evil.example/", {
    headers: { accept: "text/html", host: "evil.example" },
  });

  expect(answer.status).toBe(421);
});

function builtDashboard(files: Readonly<Record<string, string>>): ReturnType<typeof createDashboard> {
  const folder = mkdtempSync(`${tmpdir()}/kredo-page-`);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(`${folder}/assets`);
  for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text);
  return createDashboard({ files: pageFilesOnDisk(pathToFileURL(`${folder}/`)), adminHosts: [], report: String });
}
