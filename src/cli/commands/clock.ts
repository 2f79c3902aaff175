import { controlCommand } from "../client/client.ts";
import { formatTable } from "../terminal/output.ts";

export const command = controlCommand({
  name: "clock",
  about: "Print the account's clock and what is due next, or set it: real, manual, or x and a speed, such as x10.",
  arguments: ["[CLOCK]"],
  examples: ["kredo clock", "kredo clock manual"],
  field: "pending",
  request: ({ words: [mode] }) =>
    mode === undefined ? { method: "GET", path: "clock" } : { method: "PUT", path: "clock", body: mode },
  describe: ({ mode, now, scale, pending: { total, next } }, _, { terminal }) => [
    `${mode === "scaled" ? `x${scale}` : mode}, now ${now}; ${total === 0 ? "nothing is pending" : `${total} pending`}`,
    ...formatTable(
      ["TIME", "DUE", "REQUEST_ID"],
      next.map(({ at, kind, request_id: requestId = "" }) => [at, kind, requestId]),
      terminal,
    ),
  ],
});
