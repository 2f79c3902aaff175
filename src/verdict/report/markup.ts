/** HTML that is safe to insert into a page. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Content between tags: text, which is escaped, or markup, which is not. */
export type Content = string | number | Markup | readonly Content[];

/** A template tag for markup. Escapes every value that is not markup itself. */
export function html(parts: readonly string[], ...contents: readonly Content[]): Markup {
  return new Markup(parts.map((part, index) => `${part}${write(contents[index] ?? "")}`).join(""));
}

/**
 * External text. It keeps its own writing direction without affecting the text around it. Invisible characters are shown as their code
 * points.
 */
export function externalText(text: string): Markup {
  const seen = text.replace(/\p{Cs}/gu, "\ufffd").split(UNSEEN);
  return new Markup(
    `<bdi>${seen.map((part, index) => (index % 2 === 0 ? escapeHtml(part) : showCharacter(part))).join("")}</bdi>`,
  );
}

function write(content: Content): string {
  if (content instanceof Markup) return content.text;
  return typeof content === "object" ? content.map(write).join("") : escapeHtml(String(content));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Control characters except tabs and line breaks, direction marks, zero-width spaces, and noncharacters. */
const UNSEEN = /((?![\t\n])[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff])/u;

function showCharacter(character: string): string {
  return `<span class="unseen">U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}</span>`;
}
