import type { CommandEntry } from "./command.ts";
import { serve } from "./commands/serve.ts";

const RUN = "Run a sandbox:";
const USE = "Use a running sandbox:";
const TEST = "Test your backend:";
const FILES = "Files and shells:";

/** Every command, in the order of `kredo --help`. */
export const COMMANDS: readonly CommandEntry[] = [
  entry("serve", RUN, "run the sandbox (default)", async () => serve),
  entry("exec", RUN, "run a command with a sandbox beside it", async () => (await import("./commands/exec.ts")).exec),
  entry("ready", RUN, "check whether the sandbox is ready", async () => (await import("./commands/ready.ts")).ready),
  entry("send", USE, "send airtime or an SMS", async () => (await import("./commands/send.ts")).send),
  entry("balance", USE, "print the available balance", async () => (await import("./commands/balance.ts")).balance),
  entry("top-up", USE, "add money to the wallet", async () => (await import("./commands/account.ts")).topUp),
  entry(
    "scenario",
    USE,
    "list, start and stop scenarios",
    async () => (await import("./commands/account.ts")).scenario,
  ),
  entry("trigger", USE, "make the next request go wrong", async () => (await import("./commands/trigger.ts")).trigger),
  entry(
    "listen",
    USE,
    "receive callbacks, or forward them to a URL",
    async () => (await import("./commands/listen.ts")).listen,
  ),
  entry(
    "callbacks",
    USE,
    "print or set where callbacks go",
    async () => (await import("./commands/account.ts")).callbacks,
  ),
  entry(
    "transactions",
    USE,
    "list requests and their results",
    async () => (await import("./commands/account.ts")).transactions,
  ),
  entry("logs", USE, "print what happens, as it happens", async () => (await import("./commands/logs.ts")).logs),
  entry("resend", USE, "send a callback again", async () => (await import("./commands/account.ts")).resend),
  entry("clock", USE, "print or set the clock", async () => (await import("./commands/account.ts")).clock),
  entry("advance", USE, "move a manual clock", async () => (await import("./commands/advance.ts")).advance),
  entry("findings", USE, "list defects in your backend", async () => (await import("./commands/account.ts")).findings),
  entry(
    "report",
    USE,
    "print or write a report on your backend",
    async () => (await import("./commands/report.ts")).report,
  ),
  entry("reset", USE, "reset the account", async () => (await import("./commands/account.ts")).reset),
  entry(
    "rehearse",
    TEST,
    "run rehearsals and judge the result",
    async () => (await import("./commands/rehearse.ts")).rehearse,
  ),
  entry(
    "explore",
    TEST,
    "try every failure at every step of an order",
    async () => (await import("./commands/explore.ts")).explore,
  ),
  entry(
    "doctor",
    TEST,
    "find out why a callback would not arrive",
    async () => (await import("./commands/doctor.ts")).doctor,
  ),
  entry("init", FILES, "write files to start from", async () => (await import("./commands/init.ts")).init),
  entry(
    "validate",
    FILES,
    "check config files, scenarios, app maps and rehearsals",
    async () => (await import("./commands/validate.ts")).validate,
  ),
  entry(
    "list",
    FILES,
    "list the shipped scenarios and rehearsals",
    async () => (await import("./commands/list.ts")).list,
  ),
  entry(
    "preview",
    FILES,
    "show how an SMS is split and priced",
    async () => (await import("./commands/preview.ts")).preview,
  ),
  entry("completion", FILES, "print a completion script for a shell", loadCompletion),
];

function entry(name: string, group: string, summary: string, load: CommandEntry["load"]): CommandEntry {
  return { name, group, summary, load };
}

async function loadCompletion() {
  const { completion } = await import("./commands/completion.ts");
  return completion(COMMANDS);
}
