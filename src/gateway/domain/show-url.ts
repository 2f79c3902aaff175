/** Returns a URL without the parts that may be secret: user name, password, query and fragment. Resolves a relative URL against `base`. */
export function showUrl(url: string, base?: string): string {
  if (!URL.canParse(url, base)) return url.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//");
  const { protocol, host, pathname } = new URL(url, base);
  return host === "" ? `${protocol}${pathname}` : `${protocol}//${host}${pathname}`;
}
