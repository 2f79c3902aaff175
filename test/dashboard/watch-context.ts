import type { BrowserContext } from "@playwright/test";

/** What a page must never do, told in a line. */
export type Breach = string;

/** Collects, from now on, each request to another origin, each violation of the policy, each error that nobody caught. */
export async function watchContext(context: BrowserContext, origin: string): Promise<Breach[]> {
  const breaches: Breach[] = [];
  context.on("request", (request) => {
    if (!isOwn(request.url(), origin)) breaches.push(`request to ${request.url()}`);
  });
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") breaches.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => breaches.push(`uncaught: ${error.error().message}`));
  await context.exposeBinding("tellViolation", (_source, violation: string) => breaches.push(`policy: ${violation}`));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      Reflect.get(window, "tellViolation")(`${violatedDirective} ${blockedURI}`);
    });
  });
  return breaches;
}

function isOwn(url: string, origin: string): boolean {
  return url.startsWith(`${origin}/`) || url.startsWith("data:image/") || url.startsWith(`blob:${origin}/`);
}
