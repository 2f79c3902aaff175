import { parse } from "yaml";
import * as z from "zod";
import { NoOperationTraceWriter, parseAction, parseWorkflow } from "./github-parser.ts";

const variables = z.record(z.string(), z.coerce.string());

const step = z.strictObject({
  id: z.string().optional(),
  if: z.literal("always()").optional(),
  uses: z.string().optional(),
  with: variables.optional(),
  run: z.string().optional(),
  shell: z.literal("bash").optional(),
  env: variables.optional(),
});

const service = z.strictObject({
  image: z.string(),
  ports: z.array(z.string()).optional(),
  options: z.string().optional(),
  env: variables.optional(),
});

const job = z.strictObject({
  "runs-on": z.string(),
  services: z.record(z.string(), service).optional(),
  env: variables.optional(),
  steps: z.array(step),
});

const workflow = z.strictObject({
  name: z.string(),
  on: z.array(z.string()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.strictObject({ test: job }),
});

const action = z.strictObject({
  name: z.string(),
  description: z.string(),
  branding: z.unknown().optional(),
  inputs: z.record(z.string(), z.strictObject({ description: z.string(), default: z.string() })).default({}),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })).default({}),
  runs: z.strictObject({ using: z.literal("composite"), steps: z.array(step) }),
});

export type Step = z.output<typeof step>;
export type Service = z.output<typeof service>;
export type Job = z.output<typeof job>;
export type CompositeAction = z.output<typeof action>;

/** The job of a workflow in which GitHub's own parser finds no mistake, and this runner nothing that it would leave out. */
export function readJob(text: string): Job {
  expectNoMistakes(parseWorkflow({ name: "workflow.yml", content: text }, new NoOperationTraceWriter()));
  return workflow.parse(parse(text)).jobs.test;
}

export function readAction(text: string): CompositeAction {
  expectNoMistakes(parseAction({ name: "action.yml", content: text }, new NoOperationTraceWriter()));
  return action.parse(parse(text));
}

function expectNoMistakes({ context }: ReturnType<typeof parseWorkflow>): void {
  const mistakes = context.errors.getErrors().map(({ message }) => message);
  if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
}
