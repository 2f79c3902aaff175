import { mkdir, writeFile } from "node:fs/promises";
import { type Browser, chromium, type Page } from "@playwright/test";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { AFTERNOON, playAfternoon } from "./afternoon.ts";
import { CHROMIUM, CHROMIUM_FLAGS } from "./chromium.ts";
import { type Picture, PICTURES } from "./pictures.ts";
import { startReceiver } from "./receiver.ts";

/** Where the sandbox of a reader listens, so that commands in the pictures are the reader's own. */
const SHOWN_HOST = "localhost:8254";

const VIEWPORT = { width: 1280, height: 800 };

/** Of 100; below, letters get halos. */
const QUALITY = 90;

await takeScreenshots(new URL("../../docs/screenshots/", import.meta.url));

/** Each view after a lively afternoon, by day and by night. */
async function takeScreenshots(folder: URL): Promise<void> {
  await using receiver = await startReceiver();
  await using sandbox = await createSandbox(AFTERNOON);
  await playAfternoon(sandbox, receiver);
  const browser = await openBrowser(sandbox);
  await mkdir(folder, { recursive: true });
  for (const picture of PICTURES) await shoot(browser, picture, new URL(picture.name, folder));
  await browser.close();
}

/** `stem` is what the files' names begin with. */
async function shoot(browser: Browser, { place, open }: Picture, stem: URL): Promise<void> {
  const page = await browser.newPage({ viewport: VIEWPORT, reducedMotion: "reduce" });
  await page.goto(`http://${SHOWN_HOST}/#/${place}`);
  await open(page);
  await develop(page, "light", `${stem.pathname}-light.webp`);
  await develop(page, "dark", `${stem.pathname}-dark.webp`);
  await page.close();
}

/** WebP, which Playwright does not write itself, is half of the same picture as PNG. */
async function develop(page: Page, colorScheme: "light" | "dark", path: string): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const camera = await page.context().newCDPSession(page);
  const { data: base64 } = await camera.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  const picture = Buffer.from(base64, "base64");
  await writeFile(path, picture);
  console.log(`${String(Math.ceil(picture.length / 1_000)).padStart(4)} kB  ${path.split("/").slice(-3).join("/")}`);
}

function openBrowser({ url }: Sandbox): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [...CHROMIUM_FLAGS, `--host-resolver-rules=MAP ${SHOWN_HOST} ${new URL(url).host}`],
  });
}
