import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { CallbackTest } from "../../verdict/shapes.ts";
import { SINK_URL } from "../../gateway/domain/callback-outcome.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { accountClient } from "../api/sandbox.ts";
import { account, accountKey } from "../store.ts";
import { ActionButton, Form, TextField } from "./form.tsx";
import { Notice } from "./notices.tsx";
import { Badge } from "./parts.tsx";

type Operations = readonly [Operation, ...Operation[]];

interface CallbackUrlFormProps {
  /** One URL is saved for all of them. */
  readonly operations: Operations;
  readonly label: string;
}

/** Sets where results are posted: saves the URL and sends a sample to it, or selects the sandbox's own receiver. */
export function CallbackUrlForm({ operations, label }: CallbackUrlFormProps): JSX.Element {
  const saved = savedUrl(operations);
  // What was typed over another saved URL is out of date: others may save one while the form is open.
  const typed = useSignal({ text: saved, over: saved });
  const written = (typed.value.over === saved ? typed.value.text : saved).trim();
  return (
    <div class="stack close">
      <Form
        label={label}
        submit={written === "" && saved !== "" ? "Remove" : "Test"}
        busy="Waiting for the response…"
        onSubmit={() => saveAndTest(operations, written)}
        isLine
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

/** The last test of each account's callback URLs, until it is dismissed. */
const tests = signal<ReadonlyMap<string, CallbackTest>>(new Map());

function keyOf(operations: Operations): string {
  return `${accountKey.value} ${operations.join(" ")}`;
}

function keepTest(key: string, test: CallbackTest | undefined): void {
  const kept = new Map(tests.value);
  if (test === undefined) kept.delete(key);
  else kept.set(key, test);
  tests.value = kept;
}

/** Saves the URL and tests it. An empty URL removes it, so there is nothing to test. */
async function saveAndTest(operations: Operations, url: string): Promise<void> {
  const key = keyOf(operations);
  const client = accountClient(accountKey.peek() ?? "");
  const change = url === "" ? null : url;
  // One at a time, because a URL that is refused would be refused once for each.
  for (const operation of operations) await client.put("callbacks", { [operation]: change });
  keepTest(key, url === "" ? undefined : await client.post("callbacks/test", { operation: operations[0] }));
}

/** What the callback URL answered to the sample, until it is dismissed. */
export function CallbackTestResult({ operations }: { readonly operations: Operations }): JSX.Element {
  const key = keyOf(operations);
  const test = tests.value.get(key);
  return (
    <div role="status" aria-live="polite">
      {test !== undefined && (
        <Notice tone={test.acknowledged ? "good" : "bad"} onDismiss={() => keepTest(key, undefined)}>
          <p class="row">
            <Badge tone={test.acknowledged ? "good" : "bad"}>
              {test.outcome.status === undefined ? outcomeWords(test.outcome.kind) : `your receiver: ${test.outcome.status}`}
            </Badge>
            <bdi>{test.explanation}</bdi>
            <span class="quiet number">{Math.round(test.millis)} ms</span>
          </p>
          <details open={!test.acknowledged}>
            <summary>The sample and its response</summary>
            <pre dir="auto">{test.body}</pre>
            {test.outcome.body !== undefined && test.outcome.body !== "" && <pre dir="auto">{test.outcome.body}</pre>}
          </details>
        </Notice>
      )}
    </div>
  );
}

function outcomeWords(kind: string): string {
  return kind === "refused" ? "nothing listening" : kind.replaceAll("_", " ");
}
