import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { ControlError } from "../../control/client/control-client.ts";
import { SINK_URL } from "../../gateway/domain/callback-outcome.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import type { DiagnosisJson } from "../../verdict/shapes.ts";
import { accountClient } from "../api/sandbox.ts";
import { accountKey, account } from "../store.ts";
import { ActionButton, Form, TextField } from "./form.tsx";
import { Notice } from "./notices.tsx";
import { Badge } from "./parts.tsx";

type Operations = readonly [Operation, ...Operation[]];

interface CallbackUrlFormProps {
  /** One URL is saved for all of them. */
  readonly operations: Operations;
  readonly label: string;
}

/** Sets where results are posted: saves the URL and checks the way to it, or selects the sandbox's own receiver. */
export function CallbackUrlForm({ operations, label }: CallbackUrlFormProps): JSX.Element {
  const saved = savedUrl(operations);
  // What was typed over another saved URL is out of date: others may save one while the form is open.
  const typed = useSignal({ text: saved, over: saved });
  const written = typed.value.over === saved ? typed.value.text : saved;
  const isEmpty = written.trim() === "";
  return (
    <div class="stack close">
      <Form
        label={label}
        isLine
        submit={isEmpty && saved !== "" ? "Remove" : "Test"}
        busy="Waiting for the response…"
        onSubmit={() => saveAndTest(operations, written.trim())}
      >
        {(problem) => (
          <TextField
            label={label}
            problem={problem}
            inputMode="url"
            required={saved === ""}
            placeholder="http://localhost:3000/hooks"
            value={written}
            onWrite={(text) => void (typed.value = { text, over: saved })}
          />
        )}
      </Form>
      {saved !== SINK_URL && (
        <div>
          <ActionButton
            class="link"
            title="A receiver inside the sandbox, which answers 200 to every callback"
            onAct={() => saveAndTest(operations, SINK_URL)}
          >
            Use built-in receiver
          </ActionButton>
        </div>
      )}
      <CallbackTestResult operations={operations} />
    </div>
  );
}

function savedUrl(operations: Operations): string {
  const urls = account.value?.reading.state?.settings.callbacks.urls ?? {};
  return operations.map((operation) => urls[operation]?.url).find((url) => url !== undefined) ?? "";
}

/** What the last test of each URL found, by account and operation, until it is dismissed or the next one. */
const diagnoses = signal<ReadonlyMap<string, DiagnosisJson>>(new Map());

function keyOf([operation]: Operations): string {
  return `${accountKey.value} ${operation}`;
}

function keep(key: string, diagnosis: DiagnosisJson | undefined): void {
  const others = [...diagnoses.value].filter(([other]) => other !== key);
  diagnoses.value = new Map(diagnosis === undefined ? others : [...others, [key, diagnosis]]);
}

/** Saves the URL and checks the way to it. There is nothing to check if it is removed or inside the sandbox. */
async function saveAndTest(operations: Operations, url: string): Promise<void> {
  const key = keyOf(operations);
  const client = accountClient(accountKey.peek() ?? "");
  keep(key, undefined);
  const urls = Object.fromEntries(operations.map((operation) => [operation, url === "" ? null : url]));
  await client.put("callbacks", urls).catch((error: unknown) => {
    throw firstProblem(error);
  });
  if (url === "" || url === SINK_URL) return;
  keep(key, await client.post<DiagnosisJson>("callbacks/doctor", { operation: operations[0] }));
}

/** The same URL is refused for each operation, in the same words. */
function firstProblem(error: unknown): unknown {
  if (!(error instanceof ControlError)) return error;
  const { answer } = error;
  if (typeof answer !== "object" || answer === null || !("problems" in answer) || !Array.isArray(answer.problems))
    return error;
  const [{ problem, repair }] = answer.problems;
  return new Error(`${problem}; ${repair}`);
}

const CONCLUSIONS = {
  ok: { title: "Acknowledged", tone: "good" },
  failed: { title: "Not acknowledged", tone: "bad" },
  unreachable: { title: "Unreachable", tone: "bad" },
} as const;

/** Says what the test found, until it is dismissed: the answer, or the first step of the way that failed, and what to do about it. */
export function CallbackTestResult({ operations }: { readonly operations: Operations }): JSX.Element {
  const key = keyOf(operations);
  const diagnosis = diagnoses.value.get(key);
  return (
    <div role="status" aria-live="polite">
      {diagnosis !== undefined && <Diagnosis diagnosis={diagnosis} onDismiss={() => keep(key, undefined)} />}
    </div>
  );
}

interface DiagnosisProps {
  readonly diagnosis: DiagnosisJson;
  readonly onDismiss: () => void;
}

function Diagnosis({ diagnosis, onDismiss }: DiagnosisProps): JSX.Element {
  const { conclusion, checks, millis, sent, url } = diagnosis;
  const { title, tone } = CONCLUSIONS[conclusion];
  const told = checks.filter(({ check, verdict }) => verdict !== "skipped" && (check === "answer" || verdict !== "ok"));
  return (
    <Notice tone={tone} onDismiss={onDismiss}>
      <p class="row">
        <Badge tone={tone}>{title}</Badge>
        <code>{url}</code>
        {millis !== null && <span class="quiet number">{Math.round(millis)} ms</span>}
      </p>
      {told.map(({ check, seen, repair }) => (
        <p key={check}>
          <bdi>{seen}</bdi>
          {repair !== undefined && `: ${repair}`}
        </p>
      ))}
      {sent !== null && (
        <details>
          <summary>The sample</summary>
          <pre dir="auto" tabIndex={0}>
            {sent}
          </pre>
        </details>
      )}
    </Notice>
  );
}
