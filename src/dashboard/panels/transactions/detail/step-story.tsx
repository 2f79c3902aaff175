import type { JSX } from "preact";
import type { RequestRow } from "../../../../account/readings/requests.ts";
import type { TransactionDetail } from "../../../../testing/shapes.ts";
import { moneyOf } from "../../../format.ts";
import { Moment } from "../../../parts/parts.tsx";
import { bodyOf } from "../as-curl.ts";
import type { Step } from "../steps.ts";
import { acknowledgmentWords } from "../words.ts";
import { AttemptStory } from "./attempt-story.tsx";
import { FiredRules } from "./fired-rules.tsx";

export interface Story {
  readonly detail: TransactionDetail;
  /** As the page's own journal has it, unless it is older than what the page keeps. */
  readonly request: RequestRow | undefined;
}

/** What there is to say of one step of a transaction. */
export function StepStory({ step, detail, request }: Story & { readonly step: Step }): JSX.Element {
  switch (step.kind) {
    case "accepted":
      return <Accepted detail={detail} request={request} />;
    case "planned":
      return <Plan detail={detail} />;
    case "held":
      return <p>KES {moneyOf(detail.hold)} held from the wallet.</p>;
    case "settled":
      return (
        <p>
          Result <strong>{detail.result_code}</strong>: <bdi>{detail.result_desc}</bdi>
        </p>
      );
    case "charged":
      return <Charge detail={detail} />;
    case "attempted":
      return <AttemptStory attempt={step.attempt} isLast={step.attempt === detail.attempts.at(-1)} />;
    case "told":
      return <p dir="auto">{step.text}</p>;
    case "coming":
      return <Coming text={step.text} detail={detail} />;
  }
}

function Accepted({ detail, request }: Story): JSX.Element {
  if (request === undefined) return <p>{detail.timeline[0]?.text}</p>;
  return (
    <>
      <p>
        <code>
          {request.method} {request.path}
        </code>
      </p>
      <pre dir="auto">{bodyOf(request)}</pre>
      <p>{acknowledgmentWords(request.directed)}</p>
    </>
  );
}

function Plan({ detail: { plan } }: Pick<Story, "detail">): JSX.Element {
  const when = plan.settle_after_ms === null ? "never by itself" : `${plan.settle_after_ms.toLocaleString("en")} ms after acceptance`;
  return (
    <>
      <FiredRules fired={plan.rules} missed={plan.missed} />
      <p>
        Result {plan.result_code} (<bdi>{plan.result_desc}</bdi>), {when}; to be charged: KES {moneyOf(plan.charge)}.
      </p>
    </>
  );
}

function Charge({ detail: { hold, charge, account_balance: balance } }: Pick<Story, "detail">): JSX.Element {
  return (
    <p>
      KES {moneyOf(hold)} released, KES {moneyOf(charge ?? 0)} charged; KES {moneyOf(balance ?? 0)} available after it.
    </p>
  );
}

function Coming({ text, detail: { state, settles_at: settlesAt } }: { readonly text: string } & Pick<Story, "detail">): JSX.Element {
  return (
    <p>
      <bdi>{text}</bdi>{" "}
      {state === "queued" && settlesAt !== null && (
        <>
          Due at <Moment at={Date.parse(settlesAt)} />.
        </>
      )}
    </p>
  );
}
