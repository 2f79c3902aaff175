import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CONFIG_PATH, initFiles } from "../../../src/cli/init-files.ts";
import { freePorts } from "../free-ports.ts";

const SAMPLES = new URL("../../../samples/", import.meta.url);
const SHOP = new URL("compose/shop/", SAMPLES);

/** A repository as `kredo init` begins one, whose `npm test` is the shop of the samples. */
export interface SampleProject {
  readonly folder: string;
  /** The sandbox's port on this machine, and the shop's. */
  readonly ports: readonly [number, number];
  /** A sample, or what `kredo init` wrote, with this project's ports in place of 8254 and 3000 and this image in place of its own. */
  read(sample: string, image?: string): string;
}

export async function makeSampleProject(): Promise<SampleProject> {
  const folder = mkdtempSync(join(tmpdir(), "kredo-sample-"));
  const [port = 0, shopPort = 0] = await freePorts(2);
  const here = (text: string): string => text.replaceAll("8254", String(port)).replaceAll("3000", String(shopPort));
  cpSync(SHOP, folder, { recursive: true });
  writeFileSync(join(folder, "shop.js"), here(readFileSync(new URL("shop.js", SHOP), "utf8")));
  for (const [path, text] of initFiles(IMAGE)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), here(text));
  }
  appendFileSync(join(folder, CONFIG_PATH), `port: ${port}\n`);
  const read = (sample: string, image = IMAGE): string => here(readFileSync(new URL(sample, SAMPLES), "utf8")).replaceAll(IMAGE, image);
  return { folder, ports: [port, shopPort], read };
}

/** The one that the samples name. */
const IMAGE = "kredo:0.1.0";
