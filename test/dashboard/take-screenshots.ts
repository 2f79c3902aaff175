import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { type Browser, chromium, type Page } from "@playwright/test";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { AFTERNOON, playAfternoon } from "./afternoon.ts";
import { CHROMIUM, CHROMIUM_FLAGS } from "./chromium.ts";
import { PANELS } from "./panels.ts";
import { startReceiver } from "./receiver.ts";

/** Where the sandbox of a reader listens, so that commands in the pictures are the reader's own. */
const SHOWN_HOST = "localhost:8254";

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 360, height: 740 };

await takeScreenshots(new URL("../../docs/screenshots/", import.meta.url));

/** Each panel after a lively afternoon, light and dark, and one of them on a phone. */
async function takeScreenshots(folder: URL): Promise<void> {
  await using receiver = await startReceiver();
  await using sandbox = await createSandbox(AFTERNOON);
  await playAfternoon(sandbox, receiver);
  const browser = await openBrowser(sandbox);
  await mkdir(folder, { recursive: true });
  for (const [panel] of PANELS) {
    await shoot(browser, { panel, colorScheme: "light", viewport: WIDE, file: new URL(`${panel}-light.png`, folder) });
    await shoot(browser, { panel, colorScheme: "dark", viewport: WIDE, file: new URL(`${panel}-dark.png`, folder) });
  }
  await shoot(browser, { panel: "phones", colorScheme: "light", viewport: NARROW, file: new URL("phones-360.png", folder) });
  await browser.close();
}

interface Picture {
  readonly panel: string;
  readonly colorScheme: "light" | "dark";
  readonly viewport: typeof WIDE;
  readonly file: URL;
}

async function shoot(browser: Browser, { panel, colorScheme, viewport, file }: Picture): Promise<void> {
  const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce" });
  await page.goto(`http://${SHOWN_HOST}/#/${panel}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await open(page, panel);
  await page.screenshot({ path: file.pathname, animations: "disabled", caret: "hide" });
  await page.close();
  console.log(`${String(Math.ceil(statSync(file).size / 1_000)).padStart(4)} kB  ${file.pathname.split("/").slice(-3).join("/")}`);
}

function openBrowser({ url }: Sandbox): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [...CHROMIUM_FLAGS, `--host-resolver-rules=MAP ${SHOWN_HOST} ${new URL(url).host}`],
  });
}

/** What one would open in a panel to see more of it. */
async function open(_page: Page, _panel: string): Promise<void> {}
