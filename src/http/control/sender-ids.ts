import * as z from "zod";
import type { SenderIdSubmitted } from "../../account/events.ts";
import type { Registration } from "../../account/state.ts";
import { carrierValue, complain, senderIdValue, textThat } from "../../document/values.ts";
import { CARRIERS } from "../../domain/carrier.ts";
import { kesAsNumber } from "../../domain/kes.ts";
import { formatInstant } from "../../domain/time.ts";
import type { Account } from "../../engine/account.ts";
import { decideRegistration, registerSenderId } from "../../engine/commands.ts";
import type { World } from "../../engine/world.ts";
import { accountEndpoint, type Endpoint, parameter } from "./endpoint.ts";
import { moment, money } from "./values.ts";
import { walletJson, walletShape } from "./wallet.ts";

export const senderIdShape = z.object({ sender_id: z.string(), carriers: z.array(z.enum(CARRIERS)) });

const registrationShape = z.object({
  id: z.string(),
  sender_id: z.string(),
  carrier: z.enum(CARRIERS),
  state: z.enum(["submitted", "approved", "rejected"]),
  fee: money,
  submitted_at: moment,
  decides_at: moment.describe("When it is decided automatically."),
  decided_at: moment.optional(),
  reason: z.string().optional(),
});

const fileName = textThat((text) => /^[^/\\\p{Cc}]+$/u.test(text), {
  what: "a file's name",
  repair: "write the name without a folder",
});
const pdfName = textThat((text) => /^[^/\\\p{Cc}]+\.pdf$/iu.test(text), {
  what: "a PDF file's name",
  repair: "write a name that ends in .pdf",
});

const documents = z.strictObject({
  authorization_letter: fileName.describe("The signed and stamped letter's file name."),
  registration_pdf: pdfName.describe("The certificate's file name."),
});

const decision = z
  .strictObject({ verdict: z.enum(["approved", "rejected"]), reason: z.string().exactOptional() })
  .superRefine(({ verdict, reason }, context) => {
    if (verdict === "approved" && reason !== undefined)
      complain(context, { path: ["reason"], problem: "has no effect on an approval", repair: "remove it" });
  });

const CALLED = "/accounts/{account}/sender-ids";

export function senderIdEndpoints(world: World): Endpoint[] {
  return [
    submitEndpoint(world),
    accountEndpoint(
      {
        method: "post",
        path: `${CALLED}/{id}/decide`,
        summary: "Approve or reject a registration now",
        body: decision,
        answers: { 200: { description: "The registration", schema: registrationShape } },
      },
      (call) => decide(call.account, parameter(call, "id"), call.body),
    ),
  ];
}

export function senderIdsJson({ state }: Account): z.output<typeof senderIdShape>[] {
  return Array.from(state.senderIds, ([senderId, carriers]) => ({ sender_id: senderId, carriers: [...carriers] }));
}

const submittedShape = z.object({ registrations: z.array(registrationShape), wallet: walletShape });

function submitEndpoint(world: World): Endpoint {
  const { require_documents: requireDocuments } = world.gateway.sender_id_registration;
  const asked = documents.describe("The names of the two documents that a registration requires.");
  return accountEndpoint(
    {
      method: "post",
      path: CALLED,
      summary:
        "Submit a sender ID to carriers. The fee is debited at once; the decision follows on the account's clock",
      body: z.strictObject({
        sender_id: senderIdValue,
        carriers: z
          .array(carrierValue)
          .min(1)
          .superRefine(checkRepeated)
          .describe("Default all of them.")
          .exactOptional(),
        documents: requireDocuments ? asked : asked.exactOptional(),
      }),
      answers: {
        201: {
          description: "The registrations, one for each carrier",
          schema: submittedShape,
        },
      },
    },
    ({ account, body }) => {
      const submitted = registerSenderId(account, { senderId: body.sender_id, carriers: body.carriers ?? CARRIERS });
      const answer: z.output<typeof submittedShape> = {
        registrations: submitted.map(submittedJson),
        wallet: walletJson(account),
      };
      return Response.json(answer, { status: 201 });
    },
  );
}

function decide(
  account: Account,
  id: string,
  { verdict, reason }: z.output<typeof decision>,
): z.output<typeof registrationShape> {
  decideRegistration(account, { id, verdict, ...(reason !== undefined && { reason }) });
  const decided = account.state.registrations.get(id);
  if (decided === undefined) throw new Error(`the registration ${id} was decided and is gone`);
  return registrationJson(decided);
}

function registrationJson({ submitted, decided }: Registration): z.output<typeof registrationShape> {
  if (decided === undefined) return submittedJson(submitted);
  const { verdict, at, reason } = decided;
  return {
    ...submittedJson(submitted),
    state: verdict,
    decided_at: formatInstant(at),
    ...(reason !== undefined && { reason }),
  };
}

function submittedJson({
  id,
  senderId,
  carrier,
  fee,
  at,
  decidesAt,
}: SenderIdSubmitted): z.output<typeof registrationShape> {
  return {
    id,
    sender_id: senderId,
    carrier,
    state: "submitted",
    fee: kesAsNumber(fee),
    submitted_at: formatInstant(at),
    decides_at: formatInstant(decidesAt),
  };
}

function checkRepeated(carriers: readonly string[], context: z.RefinementCtx): void {
  for (const [index, carrier] of carriers.entries()) {
    if (carriers.indexOf(carrier) < index)
      complain(context, { path: [index], problem: `${carrier} is listed twice`, repair: "remove one of the two" });
  }
}
