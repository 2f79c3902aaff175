// Starts the command as most people do and orders once, so that what is kept holds the functions that a start calls: V8 compiles
// a function when it is first called. Run by cache-start.js, in a process of its own that ends with this.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, name] = process.argv.slice(2);
const dist = pathToFileURL(join(folder, "/"));
const { kept, script } = await import(new URL(`${name}.js`, dist).href);

const here = mkdtempSync(join(tmpdir(), "kredo-warm-"));
process.chdir(here);
writeFileSync("kredo.config.yaml", 'seed: 1\nscenarios: [bad-afternoon]\naccounts:\n  - callbacks: { airtime: "kredo:sink" }\n');
process.argv = [process.execPath, "kredo", "serve", "--port", "0", "--balance", "100"];
const url = heardUrl();
await Promise.all([import(new URL("kredo.js", dist).href), url.then(order)]);

/** Where it says that it listens. */
function heardUrl() {
  return new Promise((resolve) => {
    process.stdout.write = (text) => {
      const [found] = /http:\/\/[\d.]+:\d+/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
      return true;
    };
  });
}

async function order(at) {
  const headers = { "content-type": "application/json", authorization: `Basic ${btoa("sandbox-key:sandbox-secret")}` };
  const { ok } = await fetch(`${at}/api/v2/airtime`, { method: "POST", headers, body: '{"phone_number":"254712345678","amount":"10"}' });
  if (!ok) throw new Error("the sandbox that was started refused an order");
  writeFileSync(kept, script.createCachedData());
  process.chdir(folder);
  rmSync(here, { recursive: true });
  process.exit(0);
}
