import { Hono } from "hono";
import type { ApiDescription } from "./control/openapi.ts";
import { PAGE_SECURITY } from "./page-security.ts";

/** The reference at `/docs`, read offline; its code is loaded when it is first asked for. It shows no account, so it asks for no token. */
export function createReference(describe: () => ApiDescription): Hono {
  const app = new Hono();
  app.get("/docs", async () => {
    const { renderReference } = await import("./reference/reference-page.ts");
    return answer(renderReference(describe()), "text/html; charset=utf-8");
  });
  app.get("/docs/style.css", async () => {
    const { REFERENCE_STYLE } = await import("./reference/style.ts");
    return answer(REFERENCE_STYLE, "text/css; charset=utf-8");
  });
  return app;
}

function answer(text: string, mediaType: string): Response {
  return new Response(text, { headers: { "content-type": mediaType, "cache-control": "no-cache", ...PAGE_SECURITY } });
}
