/** A piece of HTML that is safe to stand in a page. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand between tags: text, which is escaped, or markup, which is not. */
export type Content = string | number | Markup | readonly Content[];

/** Writes markup: whatever is put into the template is escaped unless it is markup itself. */
export function html(parts: readonly string[], ...contents: readonly Content[]): Markup {
  return new Markup(parts.map((part, index) => `${part}${write(contents[index] ?? "")}`).join(""));
}

/**
 * Text from elsewhere, which keeps its own direction of writing and turns nothing around it. Characters that cannot be seen
 * stand there by their number.
 */
export function externalText(text: string): Markup {
  const seen = text.replace(/\p{Cs}/gu, "\ufffd").split(UNSEEN);
  return new Markup(`<bdi>${seen.map((part, index) => (index % 2 === 0 ? escapeHtml(part) : showCharacter(part))).join("")}</bdi>`);
}

function write(content: Content): string {
  if (content instanceof Markup) return content.text;
  return typeof content === "object" ? content.map(write).join("") : escapeHtml(String(content));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Control characters but for tabs and line ends, marks of direction, spaces without width, and what is no character. */
const UNSEEN = /((?![\t\n])[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff])/u;

function showCharacter(character: string): string {
  return `<span class="unseen">U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}</span>`;
}
