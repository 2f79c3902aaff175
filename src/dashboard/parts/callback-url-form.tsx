import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { CallbackTest } from "../../verdict/shapes.ts";
import { SINK_URL } from "../../gateway/domain/callback-outcome.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { accountClient } from "../api/sandbox.ts";
import { accountKey, account } from "../store.ts";
import { problemOf } from "./notices.tsx";
import { Badge } from "./parts.tsx";
import { TextField } from "./form.tsx";

interface CallbackUrlFormProps {
  /** One URL is saved for all of them. */
  readonly operations: readonly [Operation, ...Operation[]];
  readonly label: string;
}

/** Sets where results are posted: saves the URL and sends a sample to it, or selects the sandbox's own receiver. */
export function CallbackUrlForm({ operations, label }: CallbackUrlFormProps): JSX.Element {
  const { saved, written, write, problem, sample, isUnderWay, save } = useCallbackUrl(operations);
  const isEmpty = written.trim() === "";
  const submit = (event: Event): void => {
    event.preventDefault();
    void save(written.trim());
  };
  return (
    <div class="callback-url">
      <form onSubmit={submit}>
        <TextField
          label={label}
          problem={problem.value}
          inputMode="url"
          placeholder="http://localhost:3000/hooks"
          value={written}
          onWrite={write}
        />
        <span class="row">
          <button
            type="submit"
            class="button"
            disabled={isUnderWay.value}
            aria-label={`${isEmpty ? "Save" : "Save and test"}: ${label}`}
          >
            {isUnderWay.value ? "Waiting for the response…" : isEmpty ? "Save" : "Save and test"}
          </button>
          {saved !== SINK_URL && <SinkButton isDisabled={isUnderWay.value} onClick={() => void save(SINK_URL)} />}
        </span>
      </form>
      <div role="status" aria-live="polite">
        {sample.value !== undefined && <SampleAnswer sample={sample.value} />}
      </div>
    </div>
  );
}

function useCallbackUrl(operations: CallbackUrlFormProps["operations"]) {
  const saved = savedUrl(operations);
  // What was typed over another saved URL is out of date: others may save one while the form is open.
  const typed = useSignal({ text: saved, over: saved });
  const written = typed.value.over === saved ? typed.value.text : saved;
  const write = (text: string): void => void (typed.value = { text, over: saved });
  const problem = useSignal<string | undefined>(undefined);
  const sample = useSignal<CallbackTest | undefined>(undefined);
  const isUnderWay = useSignal(false);
  const save = async (url: string): Promise<void> => {
    isUnderWay.value = true;
    sample.value = undefined;
    problem.value = await problemOf(async () => {
      sample.value = await saveAndTest(operations, url);
    });
    isUnderWay.value = false;
  };
  return { saved, written, write, problem, sample, isUnderWay, save };
}

function SinkButton({
  isDisabled,
  onClick,
}: {
  readonly isDisabled: boolean;
  readonly onClick: () => void;
}): JSX.Element {
  return (
    <button type="button" class="button" disabled={isDisabled} title={SINK_MEANS} onClick={onClick}>
      Use built-in sink
    </button>
  );
}

const SINK_MEANS = "A receiver inside the sandbox, which answers 200 to every callback";

function savedUrl(operations: CallbackUrlFormProps["operations"]): string {
  const urls = account.value?.reading.state?.settings.callbacks.urls ?? {};
  return operations.map((operation) => urls[operation]?.url).find((url) => url !== undefined) ?? "";
}

/** Saves the URL and tests it. An empty URL removes it, so there is nothing to test. */
async function saveAndTest(
  operations: CallbackUrlFormProps["operations"],
  url: string,
): Promise<CallbackTest | undefined> {
  const client = accountClient(accountKey.peek() ?? "");
  await client.put(
    "callbacks",
    Object.fromEntries(operations.map((operation) => [operation, url === "" ? null : url])),
  );
  return url === "" ? undefined : client.post<CallbackTest>("callbacks/test", { operation: operations[0] });
}

function SampleAnswer({
  sample: { outcome, acknowledged, explanation, millis, body },
}: {
  readonly sample: CallbackTest;
}): JSX.Element {
  return (
    <div class="callback-sample">
      <p class="row">
        <Badge tone={acknowledged ? "good" : "bad"}>{outcome.status ?? outcome.kind.replaceAll("_", " ")}</Badge>
        <bdi>{explanation}</bdi>
        <span class="quiet number">{Math.round(millis)} ms</span>
      </p>
      <details open={!acknowledged}>
        <summary>The sample and its response</summary>
        <Exchanged title="Sent" text={body} />
        {outcome.body !== undefined && outcome.body !== "" && <Exchanged title="Answered" text={outcome.body} />}
      </details>
    </div>
  );
}

function Exchanged({ title, text }: { readonly title: string; readonly text: string }): JSX.Element {
  return (
    <figure>
      <figcaption class="quiet">{title}</figcaption>
      <pre class="callback-exchanged" dir="auto" tabIndex={0}>
        {text}
      </pre>
    </figure>
  );
}
