import type { Command, CommandEntry, CommandGroup } from "./terminal/command.ts";

const RUN = "Run a sandbox:";
const USE = "Use a running sandbox:";
const TEST = "Test your backend:";
const FILES = "Files and shells:";

/** Every command, in the order of `kredo --help`. */
export const COMMANDS: readonly CommandEntry[] = [
  entry("serve", RUN, "run the sandbox (default)", () => import("./commands/serve.ts")),
  entry("exec", RUN, "run a command with a sandbox beside it", () => import("./commands/exec.ts")),
  entry("ready", RUN, "check whether the sandbox is ready", () => import("./commands/ready.ts")),
  entry("send", USE, "send airtime or an SMS", () => import("./commands/send.ts")),
  entry("balance", USE, "print the available balance", () => import("./commands/balance.ts")),
  entry("top-up", USE, "add money to the wallet", () => import("./commands/top-up.ts")),
  entry("scenario", USE, "list, start and stop scenarios", () => import("./commands/scenario.ts")),
  entry("trigger", USE, "make the next request go wrong", () => import("./commands/trigger.ts")),
  entry("listen", USE, "receive callbacks, or forward them to a URL", () => import("./commands/listen.ts")),
  entry("callbacks", USE, "print or set where callbacks go", () => import("./commands/callbacks.ts")),
  entry("transactions", USE, "list requests and their results", () => import("./commands/transactions.ts")),
  entry("logs", USE, "print what happens, as it happens", () => import("./commands/logs.ts")),
  entry("resend", USE, "send a callback again", () => import("./commands/resend.ts")),
  entry("clock", USE, "print or set the clock", () => import("./commands/clock.ts")),
  entry("advance", USE, "move a manual clock", () => import("./commands/advance.ts")),
  entry("findings", USE, "list defects in your backend", () => import("./commands/findings.ts")),
  entry("report", USE, "print or write a report on your backend", () => import("./commands/report.ts")),
  entry("reset", USE, "reset the account", () => import("./commands/reset.ts")),
  entry("rehearse", TEST, "run rehearsals and judge the result", () => import("./commands/rehearse.ts")),
  entry("explore", TEST, "try every failure at every step of an order", () => import("./commands/explore.ts")),
  entry("doctor", TEST, "find out why a callback or a long key would not arrive", () => import("./commands/doctor.ts")),
  entry("calibrate", TEST, "compare captured exchanges with Kredo's guesses", () => import("./commands/calibrate.ts")),
  entry("init", FILES, "write files to start from", () => import("./commands/init.ts")),
  entry(
    "validate",
    FILES,
    "check what you write: configs, scenarios, app maps",
    () => import("./commands/validate.ts"),
  ),
  entry("list", FILES, "list the shipped scenarios and rehearsals", () => import("./commands/list.ts")),
  entry("preview", FILES, "show how an SMS is split and priced", () => import("./commands/preview.ts")),
  entry("docs", FILES, "print a page of the documentation", () => import("./commands/docs.ts")),
  entry("completion", FILES, "print a completion script for a shell", async () => {
    const { completion } = await import("./commands/completion.ts");
    return { command: completion(COMMANDS) };
  }),
];

function entry(
  name: string,
  group: string,
  summary: string,
  load: () => Promise<{ readonly command: Command | CommandGroup }>,
): CommandEntry {
  return { name, group, summary, load: async () => (await load()).command };
}
