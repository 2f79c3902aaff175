import { existsSync } from "node:fs";
import { type BrowserServer, chromium } from "@playwright/test";

/** Debian's Chromium that never opens a window, which takes half the processor time of the other. */
const WITHOUT_WINDOWS = "/usr/bin/chromium-headless-shell";

/** Debian's Chromium, or the one that CHROMIUM names. */
export const CHROMIUM =
  process.env["CHROMIUM"] ?? (existsSync(WITHOUT_WINDOWS) ? WITHOUT_WINDOWS : "/usr/bin/chromium");

/** QUIC and graphics cards are nothing that a picture of a page needs. */
export const CHROMIUM_FLAGS = ["--disable-gpu", "--disable-quic"];

export function launchChromium(): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
}
