import type { CallbackForm } from "./plan.ts";

/** How a scripted sending differs from an honest one, in the words of the scenario file. */
export function formWords({ contradict, unknownId, malformed, wrongContentType, manner }: CallbackForm): string[] {
  const words = [
    contradict && "contradict",
    unknownId && "unknown_id",
    malformed && "malformed",
    wrongContentType && "wrong_content_type",
    manner === "drip" && "slow_drip",
    manner === "disconnect" && "disconnect",
  ];
  return words.filter((word) => typeof word === "string");
}
