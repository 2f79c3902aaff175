import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Operation } from "../../../domain/settings.ts";
import type { CallbackTest } from "../../../testing/shapes.ts";
import { accountClient } from "../../api/sandbox.ts";
import { attempt } from "../../notices.ts";
import { Badge } from "../../parts/parts.tsx";
import { accountKey } from "../../store.ts";

const NAMES: Readonly<Record<Operation, string>> = { airtime: "airtime", sms: "SMS" };

/** Sends a sample and shows what came back. */
export function CallbackTestRow({
  operation,
  isRegistered,
}: {
  readonly operation: Operation;
  readonly isRegistered: boolean;
}): JSX.Element {
  const came = useSignal<CallbackTest | undefined>(undefined);
  const isUnderWay = useSignal(false);
  const test = async (): Promise<void> => {
    isUnderWay.value = true;
    await attempt(async () => {
      came.value = await accountClient(accountKey.value ?? "").post<CallbackTest>("callbacks/test", { operation });
    });
    isUnderWay.value = false;
  };
  return (
    <>
      <span>
        <button type="button" class="button small" disabled={!isRegistered || isUnderWay.value} onClick={() => void test()}>
          {isUnderWay.value ? "Waiting for the answer…" : `Send a sample ${NAMES[operation]} callback`}
        </button>
      </span>
      <div role="status" aria-live="polite">
        {came.value !== undefined && <CameBack came={came.value} />}
      </div>
    </>
  );
}

function CameBack({ came: { outcome, acknowledged, explanation, millis, body } }: { readonly came: CallbackTest }): JSX.Element {
  return (
    <div class="account-came">
      <p class="row">
        <Badge tone={acknowledged ? "good" : "bad"}>{outcome.status ?? outcome.kind.replaceAll("_", " ")}</Badge>
        <span class="quiet number">{Math.round(millis)} ms</span>
      </p>
      <p>
        <bdi>{explanation}</bdi>
      </p>
      <Exchanged title="Sent" text={body} />
      {outcome.body !== undefined && outcome.body !== "" && <Exchanged title="Came back" text={outcome.body} />}
    </div>
  );
}

function Exchanged({ title, text }: { readonly title: string; readonly text: string }): JSX.Element {
  return (
    <figure>
      <figcaption class="quiet">{title}</figcaption>
      <pre class="account-exchanged" dir="auto" tabIndex={0}>
        {text}
      </pre>
    </figure>
  );
}
