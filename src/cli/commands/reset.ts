import { controlCommand } from "../client/client.ts";

export const command = controlCommand({
  name: "reset",
  about: [
    "Reset the account to its initial state: wallet, journal, counters and clock. Pending callbacks are dropped; active",
    "scenarios stay. During a rehearsal, it restores what the account had before.",
  ].join(" "),
  examples: ["kredo reset", "kredo reset --account test-1"],
  request: () => ({ method: "POST", path: "reset" }),
  describe: (_, __, { target }) => [`Reset ${target.account} to its initial state.`],
});
