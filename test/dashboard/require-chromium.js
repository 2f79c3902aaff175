// The browser tests are never skipped: what they need and do not find, they name.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

if (!existsSync(process.env.CHROMIUM ?? "/usr/bin/chromium")) {
  console.error(
    "The browser tests need Chromium: install it (on Debian: apt-get install chromium), or say in CHROMIUM where its program is.",
  );
  process.exitCode = 1;
}
if (spawnSync("phpunit", ["--version"]).error !== undefined) {
  console.error(
    "The browser tests run copied tests with PHPUnit: install it (on Debian: apt-get install phpunit php-cli php-curl).",
  );
  process.exitCode = 1;
}
