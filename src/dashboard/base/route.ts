import { computed, signal } from "@preact/signals";

/** The views, in the order of the navigation. Each has the key that opens it after `g`, and a pattern for its items, if it has any. */
export const VIEWS = [
  { name: "requests", title: "Requests", opens: /./, key: "r" },
  { name: "failures", title: "Failures", opens: /^editor$/, key: "f" },
  { name: "verdict", title: "Verdict", opens: /./, key: "v" },
  { name: "account", title: "Account", key: "a" },
] as const;

export type ViewName = (typeof VIEWS)[number]["name"];

/** A location in the page: `#/requests/REQUEST_ID?account=KEY&state=failed`. */
interface Route {
  readonly view: ViewName;
  /** The item open in the view, such as a request_id. */
  readonly item?: string;
  readonly query: Readonly<Record<string, string>>;
  /** What the URL names, if there is no such view. */
  readonly unknown?: string;
}

/** The first view. */
export const HOME: ViewName = "requests";

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

export const currentRoute = computed(() => parseRoute(hash.value));

function parseRoute(text: string): Route {
  const [path = "", search = ""] = text.replace(/^#?\/?/, "").split("?", 2);
  const [name, item] = path.split("/").map(decode);
  const view = VIEWS.find((view) => view.name === name && (!item || ("opens" in view && view.opens.test(item))));
  return {
    view: view?.name ?? HOME,
    ...(item && { item }),
    query: Object.fromEntries(new URLSearchParams(search)),
    ...(view === undefined && path !== "" && { unknown: decode(path) }),
  };
}

/** Returns the URL of a location. It includes the account, so that a link opens the same one. */
export function hrefOf({
  view,
  item,
  query = {},
}: {
  view: ViewName;
  item?: string;
  query?: Readonly<Record<string, string>>;
}): string {
  const { account } = currentRoute.value.query;
  const search = new URLSearchParams(
    Object.entries({ ...(account && { account }), ...query }).filter(([, value]) => value !== ""),
  );
  const path = item === undefined ? view : `${view}/${encodeURIComponent(item)}`;
  return `#/${path}${search.size === 0 ? "" : `?${search.toString()}`}`;
}

export function goTo(to: Parameters<typeof hrefOf>[0]): void {
  location.hash = hrefOf(to);
  // The event comes later, so the next key might still act on the view that was left.
  hash.value = location.hash;
}

/** Changes the query without adding a history entry, such as for a filter while it is typed. */
export function setQuery(change: Readonly<Record<string, string>>): void {
  const { view, item, query } = currentRoute.value;
  history.replaceState(null, "", hrefOf({ view, ...(item !== undefined && { item }), query: { ...query, ...change } }));
  hash.value = location.hash;
}

/** Replaces the open item with another one of the same view, without adding a history entry. */
export function replaceItem(item: string): void {
  const { view, query } = currentRoute.value;
  history.replaceState(null, "", hrefOf({ view, item, query }));
  hash.value = location.hash;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
