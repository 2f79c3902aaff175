/** A URL without what may be secret in it: user name, password, query, fragment. A relative one is resolved against `base`. */
export function showUrl(url: string, base?: string): string {
  if (!URL.canParse(url, base)) return url.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//");
  const { protocol, host, pathname } = new URL(url, base);
  return host === "" ? `${protocol}${pathname}` : `${protocol}//${host}${pathname}`;
}
