import { signal } from "@preact/signals";
import { goTo } from "../../base/route.ts";
import type { Mistake } from "./mistakes.ts";

const KEPT = "kredo-scenario-draft";

/** The initial draft, which is a valid scenario. */
export const STARTER = `version: 1
name: my-scenario
description: What goes wrong, in one sentence.
rules:
  - name: the first two messages to each number are refused, then it works
    when: { operation: sms, first: 2, per: phone_number }
    then: { refuse: 429 }
  - name: every third callback comes twice
    when: { every: 3 }
    then: { callback: { times: 2, gap: 500ms } }
`;

/** The text in the editor. */
export const draft = signal(sessionStorage.getItem(KEPT) ?? STARTER);

/** The problems found when it was last checked. */
export const draftProblems = signal<readonly Mistake[]>([]);

export function keepDraft(text: string): void {
  draft.value = text;
  try {
    sessionStorage.setItem(KEPT, text);
  } catch {
    // The draft exceeds the browser's storage. It is kept only while the page is open.
    sessionStorage.removeItem(KEPT);
  }
}

/** Opens a scenario in the editor; `edits` names a running one, to change it while it runs. */
export function openDraft(text: string, edits = ""): void {
  draftProblems.value = [];
  keepDraft(text);
  goTo({ view: "failures", item: "editor", query: { edits } });
}
