import type { JSX } from "preact";
import { Moment } from "../../../parts/parts.tsx";
import { type Step, stepsOf } from "../steps.ts";
import { StepStory, type Story } from "./step-story.tsx";

/** Everything that happened to a transaction, in order. */
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
