import { Hono } from "hono";
import * as z from "zod";
import type { Registration } from "../gateway/account/state.ts";
import { carrierValue, addProblem, senderIdValue, textMatching } from "../gateway/document/values.ts";
import { CARRIERS } from "../gateway/domain/carrier.ts";
import { decideRegistration, registerSenderId } from "../gateway/engine/commands.ts";
import { invalid } from "./read-control-body.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv } from "./env.ts";
import { validBody } from "./validate.ts";
import { kesAsNumber } from "../gateway/domain/kes.ts";
import { formatInstant } from "../gateway/domain/time.ts";
import { type Json, momentJson, moneyJson, optional } from "./json.ts";
import { walletJson, walletShape } from "./wallet.ts";

const registrationShape = z.object({
  id: z.string(),
  sender_id: z.string(),
  carrier: z.enum(CARRIERS),
  state: z.enum(["submitted", "approved", "rejected"]),
  fee: moneyJson,
  submitted_at: momentJson,
  decides_at: momentJson.describe("When it is decided automatically."),
  decided_at: momentJson.optional(),
  reason: z.string().optional(),
});

const fileName = textMatching((text) => /^[^/\\\p{Cc}]+$/u.test(text), {
  what: "a file's name",
  repair: "write the name without a folder",
});
const pdfName = textMatching((text) => /^[^/\\\p{Cc}]+\.pdf$/iu.test(text), {
  what: "a PDF file's name",
  repair: "write a name that ends in .pdf",
});

const documents = z
  .strictObject({
    authorization_letter: fileName.describe("The signed and stamped letter's file name."),
    registration_pdf: pdfName.describe("The certificate's file name."),
  })
  .describe("The names of the two documents that a registration requires, unless the config says otherwise.");

const decision = z
  .strictObject({ verdict: z.enum(["approved", "rejected"]), reason: z.string().exactOptional() })
  .superRefine(({ verdict, reason }, context) => {
    if (verdict === "approved" && reason !== undefined)
      addProblem(context, { path: ["reason"], problem: "has no effect on an approval", repair: "remove it" });
  });

const submission = z.strictObject({
  sender_id: senderIdValue,
  carriers: z.array(carrierValue).min(1).superRefine(checkRepeated).describe("Default all of them.").exactOptional(),
  documents: documents.exactOptional(),
});

export const senderIdCalls = new Hono<AccountEnv>()
  .post(
    "/sender-ids",
    describeRoute(
      "Submit a sender ID to carriers. The fee is debited at once; the decision follows on the account's clock",
      z.object({ registrations: z.array(registrationShape), wallet: walletShape }),
      { status: 201 },
    ),
    validBody(submission),
    (c) => {
      const { account } = c.var;
      const { sender_id: senderId, carriers = CARRIERS, documents: sent } = c.req.valid("json");
      if (sent === undefined && account.gateway.sender_id_registration.require_documents)
        throw invalid([{ path: "documents", problem: "is missing", repair: "add documents" }]);
      const submitted = registerSenderId(account, { senderId, carriers });
      const registrations = submitted.map((one) => registrationJson({ submitted: one }));
      return c.json({ registrations, wallet: walletJson(account) }, 201);
    },
  )
  .post(
    "/sender-ids/:id/decide",
    describeRoute("Approve or reject a registration now", registrationShape),
    validBody(decision),
    (c) => {
      const { account } = c.var;
      const id = c.req.param("id");
      decideRegistration(account, { id, ...c.req.valid("json") });
      const decided = account.state.registrations.get(id);
      if (decided === undefined) throw new Error(`the registration ${id} was decided and is gone`);
      return c.json(registrationJson(decided));
    },
  );

function registrationJson({
  submitted: { id, senderId, carrier, fee, at, decidesAt },
  decided,
}: Omit<Registration, "plannedBy">): Json<typeof registrationShape> {
  return {
    id,
    sender_id: senderId,
    carrier,
    state: decided?.verdict ?? "submitted",
    fee: kesAsNumber(fee),
    submitted_at: formatInstant(at),
    decides_at: formatInstant(decidesAt),
    decided_at: optional(decided?.at, formatInstant),
    reason: decided?.reason,
  };
}

function checkRepeated(carriers: readonly string[], context: z.RefinementCtx): void {
  for (const [index, carrier] of carriers.entries()) {
    if (carriers.indexOf(carrier) < index)
      addProblem(context, { path: [index], problem: `${carrier} is listed twice`, repair: "remove one of the two" });
  }
}
