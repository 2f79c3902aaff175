import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { initFiles } from "../../../src/cli/init/init-files.ts";
import { IMAGE } from "../../../src/version.ts";
import { freePorts } from "../free-ports.ts";

const SAMPLES = new URL("../../../docs/samples/", import.meta.url);
const SHOP = new URL("compose/shop/", SAMPLES);

/** A repository as `kredo init` begins one, whose `npm test` is the shop of the samples. */
export interface SampleProject {
  readonly folder: string;
  /** The sandbox's port on this machine, and the shop's. */
  readonly ports: readonly [number, number];
  /** A sample with this project's ports in place of 8254 and 3000, and its image. */
  read(sample: string): string;
}

/** Its files of `kredo init` name this image. */
export async function makeSampleProject(image = IMAGE): Promise<SampleProject> {
  const folder = mkdtempSync(join(tmpdir(), "kredo-sample-"));
  const [port = 0, shopPort = 0] = await freePorts(2);
  const here = (text: string): string => onPorts(text, port, shopPort);
  cpSync(SHOP, folder, { recursive: true });
  writeFileSync(join(folder, "shop.js"), here(readFileSync(new URL("shop.js", SHOP), "utf8")));
  // npm would ask its registry whether there is a newer npm.
  writeFileSync(join(folder, ".npmrc"), "audit=false\nfund=false\nupdate-notifier=false\n");
  for (const [path, text] of initFiles(image)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), here(text));
  }
  const read = (sample: string): string =>
    here(readFileSync(new URL(sample, SAMPLES), "utf8")).replaceAll(IMAGE, image);
  return { folder, ports: [port, shopPort], read };
}

/** On this machine, and the shop's wherever it is; what a container listens on is its own affair. */
function onPorts(text: string, port: number, shopPort: number): string {
  return text
    .replace(/(127\.0\.0\.1:|\bport: )8254/g, `$1${port}`)
    .replace('"127.0.0.1:8254:8254"', `"${port}:8254"`)
    .replace(/(localhost:|host\.docker\.internal:|build:|listen\()3000/g, `$1${shopPort}`);
}
