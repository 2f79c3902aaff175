// The browser tests are never skipped: what they need and do not find, they name.
import { existsSync } from "node:fs";

const { CHROMIUM } = process.env;
const programs = CHROMIUM === undefined ? ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] : [CHROMIUM];

if (!programs.some((program) => existsSync(program))) {
  console.error(
    "The browser tests need Chromium: install it (on Debian: apt-get install chromium-headless-shell), or say in CHROMIUM where its program is.",
  );
  process.exitCode = 1;
}
