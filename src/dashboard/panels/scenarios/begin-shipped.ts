import { accountClient } from "../../api/sandbox.ts";
import { attempt } from "../../notices.ts";
import { goTo } from "../../route.ts";
import { accountKey } from "../../store.ts";

/** Begins a shipped scenario, and shows it among those that are active. */
export async function beginShipped(name: string): Promise<void> {
  const hasBegun = await attempt(() => accountClient(accountKey.value ?? "default").post("scenarios", { name }), `${name} began.`);
  if (hasBegun) goTo({ panel: "scenarios" });
}
