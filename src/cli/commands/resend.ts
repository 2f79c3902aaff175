import { controlCommand } from "../client/client.ts";

export const command = controlCommand({
  name: "resend",
  about: "Send the callback of a settled transaction again, byte for byte.",
  arguments: ["<REQUEST_ID>"],
  examples: ["kredo resend 3f0e8c1a-6f0e-4c2b-9a57-0d6f0f6b8f11"],
  request: ({ words: [requestId = ""] }) => ({
    method: "POST",
    path: "callbacks/resend",
    body: { request_ids: [requestId] },
  }),
  describe: (_, { words: [requestId = ""] }) => [`Sending the callback of ${requestId} again.`],
});
