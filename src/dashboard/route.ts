import { computed, signal } from "@preact/signals";

/** The panels, in the order of the navigation. Each has the key that opens it after `g`, and a pattern for its items, if it has any. */
export const PANELS = [
  { name: "transactions", title: "Transactions", opens: /./, key: "t" },
  { name: "wallet", title: "Wallet", key: "w" },
  { name: "time", title: "Time", key: "c" },
  { name: "scenarios", title: "Scenarios", opens: /^(?:shipped|write)$/, key: "s" },
  { name: "findings", title: "Findings", key: "f" },
  { name: "exploration", title: "Exploration", opens: /./, key: "e" },
  { name: "account", title: "Account", key: "a" },
  { name: "send", title: "Send", key: "n" },
] as const;

export type PanelName = (typeof PANELS)[number]["name"];

/** A location in the page: `#/transactions/REQUEST_ID?account=KEY&state=failed`. */
interface Route {
  readonly panel: PanelName;
  /** The item open in the panel, such as a request_id or a phone number. */
  readonly item?: string;
  readonly query: Readonly<Record<string, string>>;
  /** What the URL names, if there is no such view. */
  readonly unknown?: string;
}

/** The default panel. */
export const HOME: PanelName = "transactions";

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

export const route = computed(() => parseRoute(hash.value));

function parseRoute(text: string): Route {
  const [path = "", search = ""] = text.replace(/^#?\/?/, "").split("?", 2);
  const [name, item] = path.split("/").map(decode);
  const panel = PANELS.find((panel) => panel.name === name && (!item || ("opens" in panel && panel.opens.test(item))));
  return {
    panel: panel?.name ?? HOME,
    ...(item && { item }),
    query: Object.fromEntries(new URLSearchParams(search)),
    ...(panel === undefined && path !== "" && { unknown: decode(path) }),
  };
}

/** Returns the URL of a location. It includes the account, so that a link opens the same one. */
export function hrefOf({
  panel,
  item,
  query = {},
}: {
  panel: PanelName;
  item?: string;
  query?: Readonly<Record<string, string>>;
}): string {
  const { account } = route.value.query;
  const search = new URLSearchParams(
    Object.entries({ ...(account && { account }), ...query }).filter(([, value]) => value !== ""),
  );
  const path = item === undefined ? panel : `${panel}/${encodeURIComponent(item)}`;
  return `#/${path}${search.size === 0 ? "" : `?${search.toString()}`}`;
}

export function goTo(to: Parameters<typeof hrefOf>[0]): void {
  location.hash = hrefOf(to);
  // The event comes later, so the next key might still act on the view that was left.
  hash.value = location.hash;
}

/** Changes the query without adding a history entry, such as for a filter while it is typed. */
export function setQuery(change: Readonly<Record<string, string>>): void {
  const { panel, item, query } = route.value;
  history.replaceState(
    null,
    "",
    hrefOf({ panel, ...(item !== undefined && { item }), query: { ...query, ...change } }),
  );
  hash.value = location.hash;
}

/** Replaces the open item with another one of the same panel, without adding a history entry. */
export function replaceItem(item: string): void {
  const { panel, query } = route.value;
  history.replaceState(null, "", hrefOf({ panel, item, query }));
  hash.value = location.hash;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
