import { forEachProduct, type Operation, PRODUCT_WORDS, PRODUCTS } from "../../gateway/domain/order.ts";
import { controlCommand } from "../client/client.ts";
import { readCallbackUrl } from "../terminal/flag-values.ts";
import { formatTable } from "../terminal/output.ts";
import { printWarnings } from "../terminal/terminal.ts";

export const command = controlCommand({
  name: "callbacks",
  about: "Print where callbacks are sent, or register URL for airtime and SMS; none removes it.",
  arguments: ["[URL]"],
  flags: PRODUCTS.map((product) => ({
    name: product,
    value: "URL",
    about: `register this URL for ${PRODUCT_WORDS[product].results}`,
  })),
  examples: ["kredo callbacks http://localhost:3000/hooks", "kredo callbacks --sms none"],
  docs: "troubleshooting",
  field: "timeout",
  request({ words: [url], flags }) {
    const changeOf = (operation: Operation) =>
      changeTo(flags.has(operation) ? `--${operation}` : "URL", flags.get(operation) ?? url);
    const change = forEachProduct(changeOf);
    const isChange = PRODUCTS.some((product) => change[product] !== undefined);
    return isChange ? { method: "PUT", path: "callbacks", body: change } : { method: "GET", path: "callbacks" };
  },
  describe(urls, _, { terminal }) {
    if ("warnings" in urls) printWarnings(terminal, urls.warnings);
    const rows = PRODUCTS.map((product) => [product, urls[product] ?? "none"]);
    return formatTable(["OPERATION", "CALLBACK URL"], rows, terminal);
  },
});

/** Null removes a URL; undefined, which JSON omits, leaves it. */
function changeTo(place: string, url: string | undefined): string | null | undefined {
  return url === "none" ? null : url && readCallbackUrl(url, place);
}
