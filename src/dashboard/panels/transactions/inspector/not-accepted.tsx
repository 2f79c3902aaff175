import type { JSX } from "preact";
import type { RequestRow } from "../../../../account/readings/requests.ts";
import { envelopeOf, stateOf } from "../words.ts";
import { FiredRules } from "./story.tsx";

export function NotAccepted({ request }: { readonly request: RequestRow }): JSX.Element {
  const { rules, hint, description } = request;
  const state = stateOf({ request });
  return (
    <>
      {hint !== undefined && (
        <section class="transaction-hint" aria-label="Hint">
          <h3>Hint</h3>
          <p dir="auto">{hint}</p>
        </section>
      )}
      <ValidationErrors request={request} />
      <section class="stack-s" aria-label="Response">
        <h3>Response</h3>
        {state === "refused" ? <pre dir="auto">{envelopeOf(request)}</pre> : <p>{description}</p>}
        {state !== "answered" && <p class="quiet">Nothing was queued, no money moved, and no callback follows.</p>}
      </section>
      <section class="stack-s" aria-label="Rules">
        <h3>Rules</h3>
        <FiredRules fired={rules?.fired ?? []} missed={rules?.missed} />
      </section>
    </>
  );
}

function ValidationErrors({ request: { validationErrors } }: { readonly request: RequestRow }): JSX.Element | null {
  if (validationErrors === undefined) return null;
  return (
    <section class="stack-s" aria-label="Validation errors">
      <h3>Validation errors</h3>
      <dl class="transaction-facts">
        {Object.entries(validationErrors).map(([field, lines]) => (
          <div key={field}>
            <dt>
              <code>{field}</code>
            </dt>
            {lines.map((line) => (
              <dd key={line} dir="auto">
                {line}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  );
}
