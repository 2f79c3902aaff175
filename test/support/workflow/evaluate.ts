import { data, Evaluator, Lexer, Parser } from "@actions/expressions";

/** What expressions may name: `inputs.port`, `steps.kredo.outputs.url`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** Text with what its `${{ expressions }}` come to. */
export function evaluate(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => evaluateOne(expression, contexts));
}

function evaluateOne(expression: string, contexts: Contexts): string {
  const parsed = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), []).parse();
  const named: data.ExpressionData = JSON.parse(JSON.stringify(contexts), data.reviver);
  if (!(named instanceof data.Dictionary)) throw new Error("Contexts are a dictionary.");
  return new Evaluator(parsed, named).evaluate().coerceString();
}
