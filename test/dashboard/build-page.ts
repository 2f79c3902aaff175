import type { BrowserServer } from "@playwright/test";
import { build } from "vite";
import type { TestProject } from "vitest/node";
import { launchChromium } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    browser: string;
  }
}

/** Builds the page as it is shipped, and starts one browser for all tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Otherwise Vite builds for Vitest's own mode, with more than is shipped.
  process.env["NODE_ENV"] = "production";
  await build({
    configFile: new URL("../../src/dashboard/vite.config.ts", import.meta.url).pathname,
    logLevel: "warn",
  });
  const browser: BrowserServer = await launchChromium();
  project.provide("browser", browser.wsEndpoint());
  return () => browser.close();
}
