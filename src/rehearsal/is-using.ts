import { placeholdersIn } from "./placeholders.ts";
import type { Rehearsal } from "./rehearsal.ts";

/** Whether a rehearsal has use for a placeholder anywhere. */
export function isUsing({ account, drive, expect }: Rehearsal, name: string): boolean {
  return placeholdersIn([account, drive, expect]).includes(name);
}
