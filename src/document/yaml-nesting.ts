import { Lexer } from "yaml";
import { MOST_LEVELS } from "./nesting.ts";

/** Where YAML becomes nested too deep to be parsed; undefined where it never does. The library's lexer does not call itself. */
export function findTooDeepYaml(text: string): number | undefined {
  if (text.length <= MOST_LEVELS) return undefined;
  const nesting = new YamlNesting();
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (nesting.follow(token) > MOST_LEVELS) return offset;
    if (!MARKS.has(token)) offset += token.length;
  }
  return undefined;
}

/** Tokens that stand for no character of the text: the start of a document, of a flow's end by mistake, of a scalar. */
const MARKS: ReadonlySet<string> = new Set(["\u0002", "\u0018", "\u001f"]);

/** Follows the nesting of YAML token by token. */
class YamlNesting {
  #flow = 0;
  /** Where the blocks around this place begin: twice the column, and one more for a list, which may begin at its key's column. */
  readonly #blocks: number[] = [];
  #column = 0;
  #isIndent = true;

  follow(token: string): number {
    if (token.endsWith("\n")) this.#startLine();
    else if (token !== "" && !MARKS.has(token)) this.#followInLine(token);
    return this.#level();
  }

  #startLine(): void {
    this.#column = 0;
    this.#isIndent = true;
  }

  #followInLine(token: string): void {
    if (token === "[" || token === "{") this.#flow += 1;
    else if (token === "]" || token === "}") this.#flow -= 1;
    else if (this.#flow === 0 && this.#isIndent && token.trim() !== "") this.#enterBlock(token);
    this.#column += token.length;
  }

  #level(): number {
    return Math.max(0, this.#blocks.length - 1) + this.#flow;
  }

  #enterBlock(token: string): void {
    const isIndicator = token === "-" || token === "?" || token === ":";
    const place = this.#column * 2 + (isIndicator ? 1 : 0);
    while ((this.#blocks.at(-1) ?? -1) >= place) this.#blocks.pop();
    this.#blocks.push(place);
    this.#isIndent = isIndicator;
  }
}
