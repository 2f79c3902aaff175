import { signal } from "@preact/signals";
import { accountClient } from "../../api/sandbox.ts";
import { goTo } from "../../route.ts";
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

/** The scenario in the editor. */
interface Draft {
  readonly text: string;
  /** Increases whenever the text is replaced other than by typing. */
  readonly revision: number;
}

export const draft = signal<Draft>({ text: sessionStorage.getItem(KEPT) ?? STARTER, revision: 0 });

/** The problems found when it was last submitted. */
export const judgement = signal<readonly Mistake[]>([]);

/** Replaces the draft. */
export function putDraft(text: string): void {
  judgement.value = [];
  keep({ text, revision: draft.value.revision + 1 });
}

/** Stores the typed text. */
export function keepDraft(text: string): void {
  keep({ ...draft.value, text });
}

function keep(changed: Draft): void {
  draft.value = changed;
  try {
    sessionStorage.setItem(KEPT, changed.text);
  } catch {
    // The draft exceeds the browser's storage. It is kept only while the page is open.
    sessionStorage.removeItem(KEPT);
  }
}

/** Opens a running scenario in the editor, to change it while it runs. */
export async function editRunning(consumerKey: string, name: string): Promise<void> {
  const { text } = await accountClient(consumerKey).get<{ text: string }>(`scenarios/${encodeURIComponent(name)}`);
  putDraft(text);
  goTo({ view: "failures", item: "editor", query: { edits: name } });
}
