import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
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
  const url = written.trim();
  return (
    <div class="callback-url stack close">
      <Form
        label={label}
        beside={!keys.includes("copy") && <BuiltInReceiver keys={keys} isSaved={saved === SINK_URL} />}
        submit={url === "" && saved !== "" ? "Remove" : "Save and test"}
        busy="Testing…"
        onSubmit={() => saveAndTest(keys, url)}
      >
        {(problem) => (
          <TextField
            label={label}
            note={url === saved ? undefined : "not saved"}
            problem={problem}
            inputMode="url"
            required={saved === ""}
            placeholder="http://localhost:3000/hooks"
            title={written}
            value={written}
            onWrite={(text) => void (typed.value = { text, over: saved })}
          />
        )}
      </Form>
      <CallbackTestResult keys={keys} />
    </div>
  );
}

function BuiltInReceiver({ keys, isSaved }: { readonly keys: UrlKeys; readonly isSaved: boolean }): JSX.Element {
  if (isSaved) return <span class="quiet">Built-in: always answers 200</span>;
  return (
    <ActionButton class="link" onAct={() => saveAndTest(keys, SINK_URL)}>
      Use built-in receiver
    </ActionButton>
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
  // One after the other, because a refusal of all at once says the same of each.
  for (const key of keys) await client.put("callbacks", { [key]: url === "" ? null : url });
  if (url === "" || url === SINK_URL) return;
  const [operation] = keys;
  keep(test, await client.post("callbacks/doctor", operation === "copy" ? { url } : { operation }));
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

function Diagnosis({
  diagnosis: { conclusion, checks, millis, sent },
  onDismiss,
}: {
  readonly diagnosis: DiagnosisJson;
  readonly onDismiss: () => void;
}): JSX.Element {
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
