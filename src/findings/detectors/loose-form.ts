import { type AccountEvent, isRequestEvent, type RequestRefused } from "../../account/events.ts";
import { type Detector, NOTHING, type Sighting } from "../detector.ts";
import { type LooseForm, looseForms } from "../loose-forms.ts";
import { requestExchanges } from "../request-exchanges.ts";

/** An amount or a phone number came in a form that the gateway's document does not have. */
export const looseForm: Detector = {
  id: "loose-form",
  severity: "risk",
  title: "A field came in a form that the gateway may refuse",
  why: "The document has the amount as a string and the number as digits with the country code, without a plus sign (2.1, 2.2); another form is refused, or taken by one version of the gateway and not by the next.",
  mend: 'Bring both into form in one place, just before the call: "254" and nine digits, and the amount as a string of shillings, such as "100" or "99.50".',
  assumes:
    "A refused field that reads as a Kenyan mobile number or as shillings was meant as one; a test that sends such a form on purpose looks the same.",
  kinds: ["accepted", "queried", "cut", "refused"],
  watch: () => (event) => {
    if (event.kind === "refused" && event.code === 422) return seeRefused(event);
    return seeTaken(event);
  },
};

function seeRefused({ requestId, validationErrors, body }: RequestRefused): readonly Sighting[] {
  if (validationErrors === undefined || body === undefined) return NOTHING;
  return looseForms(body)
    .filter(({ field }) => Object.hasOwn(validationErrors, field))
    .map(({ field, came }) => sight(requestId, field, `${field} came as ${came}, and was refused: it must be ${STRICT[field]}.`));
}

const STRICT: Readonly<Record<LooseForm["field"], string>> = {
  amount: 'a string of digits with at most two decimals, such as "100"',
  phone_number: '254 and nine digits in a string, such as "254712345678"',
};

/** Only a lenient setting took it. */
function seeTaken(event: AccountEvent): readonly Sighting[] {
  const loose = isRequestEvent(event) ? event.manner?.loose : undefined;
  if (loose === undefined || !isRequestEvent(event)) return NOTHING;
  return loose.map((field) =>
    sight(event.requestId, field, `${field} came in a form that this sandbox takes and the document's strict one refuses.`),
  );
}

function sight(requestId: string, field: string, seen: string): Sighting {
  return { subject: field, seen, exchanges: requestExchanges([requestId]) };
}
