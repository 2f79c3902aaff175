import { signal } from "@preact/signals";
import { accountClient, download } from "../../api/sandbox.ts";
import { attempt } from "../../parts/notices.tsx";
import { goTo } from "../../route.ts";
import type { Mistake } from "./mistakes.ts";

const KEPT = "kredo-scenario-draft";

/** What one begins to write from: valid as it stands. */
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

/** The scenario that is being written. */
interface Draft {
  readonly text: string;
  /** Grows whenever the text is put in place from elsewhere than by typing. */
  readonly revision: number;
}

export const draft = signal<Draft>({ text: sessionStorage.getItem(KEPT) ?? STARTER, revision: 0 });

/** What was found out about it when it was sent last. */
export const judgement = signal<readonly Mistake[]>([]);

/** Puts another text in its place. */
export function putDraft(text: string): void {
  judgement.value = [];
  keep({ text, revision: draft.value.revision + 1 });
}

/** Remembers what was typed. */
export function keepDraft(text: string): void {
  keep({ ...draft.value, text });
}

function keep(changed: Draft): void {
  draft.value = changed;
  try {
    sessionStorage.setItem(KEPT, changed.text);
  } catch {
    // It is longer than what a browser keeps; while the page is open the draft is there all the same.
    sessionStorage.removeItem(KEPT);
  }
}

/** What happened on the account so far, as a file that repeats it. */
export async function downloadRun(consumerKey: string): Promise<void> {
  await attempt(() => download("export?as=scenario", `${consumerKey.replaceAll(/[^\w.-]+/g, "-")}.scenario.yaml`, consumerKey));
}

/** The same, to be looked at and changed. */
export async function writeOnRun(consumerKey: string): Promise<void> {
  await attempt(async () => {
    putDraft(await accountClient(consumerKey).getText("export?as=scenario"));
    goTo({ panel: "scenarios", item: "write" });
  });
}

/** A scenario as it runs, to be changed while it does. */
export async function editRunning(consumerKey: string, name: string): Promise<void> {
  await attempt(async () => {
    const { text } = await accountClient(consumerKey).get<{ text: string }>(`scenarios/${encodeURIComponent(name)}`);
    putDraft(text);
    goTo({ panel: "scenarios", item: "write", query: { edits: name } });
  });
}
