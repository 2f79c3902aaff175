import type { JSX } from "preact";
import type { RequestRow } from "../../../../account/readings/requests.ts";
import type { TransactionDetail } from "../../../../control-client/shapes.ts";
import type { Missed } from "../../../../scenario/rule-decision.ts";
import { bodyOf } from "../../../api/curl.ts";
import { moneyOf } from "../../../format.ts";
import { Moment } from "../../../parts/parts.tsx";
import { hrefOf } from "../../../route.ts";
import { type Step, stepsOf } from "../steps.ts";
import { acknowledgmentWords } from "../words.ts";
import { AttemptStory } from "./attempt-story.tsx";

export function Timeline(story: Story): JSX.Element {
  return (
    <section class="stack-s">
      <h3>Timeline</h3>
      <ol class="timeline" aria-label="Timeline">
        {stepsOf(story.detail).map((step, index) => (
          <li key={index} class={`timeline-step ${toneOf(step, story)}`}>
            <div class="spread">
              <h4>{titleOf(step)}</h4>
              {step.kind !== "coming" && <Moment at={Date.parse(step.at)} />}
            </div>
            <StepStory step={step} {...story} />
          </li>
        ))}
      </ol>
    </section>
  );
}

const TITLES = { accepted: "Request", planned: "Plan", held: "Hold", settled: "Carrier", charged: "Charge" } as const;

function titleOf(step: Step): string {
  if (step.kind === "told" || step.kind === "coming") return step.title;
  return step.kind === "attempted" ? `Callback attempt ${step.attempt.attempt}` : TITLES[step.kind];
}

function toneOf(step: Step, { detail }: Story): string {
  if (step.kind === "coming") return "warm";
  if (step.kind === "attempted") return step.attempt.acknowledged ? "good" : "bad";
  if (step.kind !== "settled") return "plain";
  return detail.state === "failed" ? "bad" : "good";
}

interface Story {
  readonly detail: TransactionDetail;
  /** As the page's own journal has it, unless it is older than what the page keeps. */
  readonly request: RequestRow | undefined;
}

function StepStory({ step, detail, request }: Story & { readonly step: Step }): JSX.Element {
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
      <p>{acknowledgmentWords(request.rules, detail.client_waits)}</p>
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

interface FiredRulesProps {
  readonly fired: readonly { readonly scenario: string; readonly rule: string }[];
  readonly missed: Missed | undefined;
}

export function FiredRules({ fired, missed }: FiredRulesProps): JSX.Element {
  return (
    <>
      {fired.length === 0 ? (
        <p>No rule fired.</p>
      ) : (
        <ul class="stack-s" aria-label="Rules that fired">
          {fired.map(({ scenario, rule }) => (
            <li key={`${scenario} ${rule}`}>
              Rule <strong dir="auto">{rule}</strong> of <ScenarioLink name={scenario} />
            </li>
          ))}
        </ul>
      )}
      {missed !== undefined && (
        <p class="quiet">
          Nearest rule that did not fire: <strong dir="auto">{missed.rule}</strong> of <ScenarioLink name={missed.scenario} />, because{" "}
          <bdi>{missed.difference}</bdi>.
        </p>
      )}
    </>
  );
}

function ScenarioLink({ name }: { readonly name: string }): JSX.Element {
  return (
    <a href={hrefOf({ panel: "scenarios", item: name })}>
      <bdi>{name}</bdi>
    </a>
  );
}
