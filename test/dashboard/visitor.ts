import { expect as patientExpect } from "@playwright/test";
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import { inject } from "vitest";
import { type Breach, watchContext } from "./watch-context.ts";

// A sandbox loads these with the first request for them, which on a busy machine takes longer than an assertion waits.
await Promise.all([import("../../src/control/control-api.ts"), import("../../src/control/dashboard.ts")]);

/** Assertions on locators, which wait until they hold. */
export const expect = patientExpect.configure({ timeout: 15_000 });

export interface Visitor extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Opens a place of the page, such as "wallet". */
  visit(place?: string): Promise<void>;
  /** Leaves out what this test provokes; whatever else breaks the page's promises fails it at the end. */
  expectBreach(what: RegExp): void;
}

export type VisitorOptions = Pick<BrowserContextOptions, "colorScheme" | "viewport" | "reducedMotion">;

/** Somebody who looks at the sandbox at this origin, in a browser profile of their own. */
export async function welcomeVisitor(origin: string, options: VisitorOptions = {}): Promise<Visitor> {
  const browser = await chromium.connect(inject("browser"));
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const breaches = await watchContext(context, origin);
  const page = await context.newPage();
  const provoked: RegExp[] = [];
  return {
    context,
    page,
    visit: async (place = "") => void (await page.goto(`${origin}/${place === "" ? "" : `#/${place}`}`)),
    expectBreach: (what) => void provoked.push(what),
    async [Symbol.asyncDispose]() {
      await context.close();
      await browser.close();
      forbid(breaches.filter((breach) => !provoked.some((what) => what.test(breach))));
    },
  };
}

function forbid(breaches: readonly Breach[]): void {
  if (breaches.length > 0) throw new Error(`The page broke its promises:\n${breaches.join("\n")}`);
}
