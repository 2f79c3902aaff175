import { type BrowserServer, chromium } from "@playwright/test";

/** Debian's Chromium, or the one that CHROMIUM names. */
export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** QUIC and graphics cards are nothing that a picture of a page needs. */
export const CHROMIUM_FLAGS = ["--disable-gpu", "--disable-quic"];

export function launchChromium(): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
}
