// The browser tests are never skipped: what they need and do not find, they name.
import { existsSync } from "node:fs";

if (!existsSync(process.env.CHROMIUM ?? "/usr/bin/chromium")) {
  console.error(
    "The browser tests need Chromium: install it (on Debian: apt-get install chromium), or say in CHROMIUM where its program is.",
  );
  process.exitCode = 1;
}
