/** Characters of a line that are shown. */
const LONGEST = 120;

/** How a body begins, in quotes; a page's title says more than its first line does. */
export function excerpt(body: string): string {
  const line = body
    .split(/[\r\n]+/)
    .find((text) => text.trim() !== "")
    ?.trim();
  if (line === undefined) return "an empty body";
  const title = isHtml(body) ? /<title[^>]*>\s*([^<]*?)\s*<\/title>/i.exec(body)?.[1] : undefined;
  return title ? `${quoteStart(line)} titled ${quoteStart(title)}` : quoteStart(line);
}

export function isHtml(body: string): boolean {
  return /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(body);
}

/** A page with a field for a password. */
export function isLoginPage(body: string): boolean {
  return isHtml(body) && /<input[^>]+type\s*=\s*["']?password|<title[^>]*>[^<]*\b(?:log ?in|sign ?in)\b/i.test(body);
}

function quoteStart(text: string): string {
  return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
