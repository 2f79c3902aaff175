import { controlCommand } from "../client/client.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { printable } from "../terminal/output.ts";

export const command = controlCommand({
  name: "findings",
  about:
    "List defects and risks that the sandbox saw in your backend's behaviour, most severe first, each with its repair.",
  flags: [
    {
      name: "severity",
      value: "SEVERITY",
      choices: ["defect", "risk", "cost", "hint"],
      about: "only those of this severity",
    },
  ],
  examples: ["kredo findings", "kredo findings --severity defect"],
  docs: "checks",
  request: ({ flags }) => ({ path: "findings", query: { severity: flags.get("severity") }, rows: Infinity }),
  describe: ({ items }) => [
    ...items.flatMap(({ severity, title, id, seen, repair, count: times }) => [
      `${severity}  ${title} (${id}), ${counted(times, "time")}`,
      `  ${printable(seen)}`,
      `  ${printable(repair)}`,
    ]),
    `${counted(items.length, "finding")}.`,
  ],
});
