import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { ControlError } from "../../control/client/control-client.ts";
import { SINK_URL } from "../../gateway/domain/callback-outcome.ts";
import type { CallbackSettings } from "../../gateway/settings/callbacks.ts";
import type { DiagnosisJson } from "../../verdict/endpoints/shapes.ts";
import { accountKey, accountSettingsInForce, shownClient } from "../live/store.ts";
import { ActionButton, Form, TextField } from "./form.tsx";
import { Notice } from "./notices.tsx";
import { Badge } from "./parts.tsx";

type UrlKey = keyof CallbackSettings["urls"];
type UrlKeys = readonly [UrlKey, ...UrlKey[]];

interface CallbackUrlFormProps {
  /** One URL is saved for all of them. */
  readonly keys: UrlKeys;
  readonly label: string;
}

/** Sets where results are posted: saves the URL and checks the way to it, or selects the sandbox's own receiver. */
export function CallbackUrlForm({ keys, label }: CallbackUrlFormProps): JSX.Element {
  const saved = savedUrl(keys);
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
        onSubmit={() => saveAndTest(keys, written.trim())}
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
      {saved !== SINK_URL && !keys.includes("copy") && (
        <div>
          <ActionButton
            class="link"
            title="A receiver inside the sandbox, which answers 200 to every callback"
            onAct={() => saveAndTest(keys, SINK_URL)}
          >
            Use built-in receiver
          </ActionButton>
        </div>
      )}
      <CallbackTestResult keys={keys} />
    </div>
  );
}

function savedUrl(keys: UrlKeys): string {
  const urls = accountSettingsInForce()?.callbacks.urls ?? {};
  return keys.map((key) => urls[key]?.url).find((url) => url !== undefined) ?? "";
}

/** What the last test of each URL found, by account and use, until it is dismissed or the next one. */
const diagnoses = signal<ReadonlyMap<string, DiagnosisJson>>(new Map());

function testOf([key]: UrlKeys): string {
  return `${accountKey.value} ${key}`;
}

function keep(test: string, diagnosis: DiagnosisJson | undefined): void {
  const others = [...diagnoses.value].filter(([other]) => other !== test);
  diagnoses.value = new Map(diagnosis === undefined ? others : [...others, [test, diagnosis]]);
}

/** Saves the URL and checks the way to it. There is nothing to check if it is removed or inside the sandbox. */
async function saveAndTest(keys: UrlKeys, url: string): Promise<void> {
  const test = testOf(keys);
  const client = shownClient();
  keep(test, undefined);
  const urls = Object.fromEntries(keys.map((key) => [key, url === "" ? null : url]));
  await client.put("callbacks", urls).catch((error: unknown) => {
    throw firstProblem(error);
  });
  if (url === "" || url === SINK_URL) return;
  const [operation] = keys;
  keep(test, await client.post("callbacks/doctor", operation === "copy" ? { url } : { operation }));
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
export function CallbackTestResult({ keys }: { readonly keys: UrlKeys }): JSX.Element {
  const test = testOf(keys);
  const diagnosis = diagnoses.value.get(test);
  return (
    <div role="status" aria-live="polite">
      {diagnosis !== undefined && <Diagnosis diagnosis={diagnosis} onDismiss={() => keep(test, undefined)} />}
    </div>
  );
}

interface DiagnosisProps {
  readonly diagnosis: DiagnosisJson;
  readonly onDismiss: () => void;
}

function Diagnosis({ diagnosis, onDismiss }: DiagnosisProps): JSX.Element {
  const { conclusion, checks, millis, sent } = diagnosis;
  const { title, tone } = CONCLUSIONS[conclusion];
  const shownChecks = checks.filter(
    ({ check, verdict }) => verdict !== "skipped" && (check === "answer" || verdict !== "ok"),
  );
  return (
    <Notice tone={tone} onDismiss={onDismiss}>
      <p class="row">
        <Badge tone={tone}>{title}</Badge>
        {millis !== null && <span class="quiet number">{Math.round(millis)} ms</span>}
      </p>
      {shownChecks.map(({ check, seen, repair }) => (
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
