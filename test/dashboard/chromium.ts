import { type BrowserServer, chromium } from "playwright-core";

/** Debian's Chromium, or the one that CHROMIUM names. QUIC and graphics cards are nothing that a test needs. */
export function launchChromium(): Promise<BrowserServer> {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  return chromium.launchServer({ executablePath, args: ["--disable-gpu", "--disable-quic"] });
}
