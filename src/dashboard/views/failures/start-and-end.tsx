import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ScenarioPreview } from "../../../control/client/shapes.ts";
import { Confirm } from "../../parts/dialogs.tsx";
import { ActionButton } from "../../parts/form.tsx";
import { runAction, showNotice } from "../../parts/notices.tsx";
import { shownClient } from "../../live/store.ts";

/** Settings of the account that change. */
type Changes = ScenarioPreview["changes"];

/** Ends one scenario, or all without a name. If that restores settings, lists them first. */
export function EndButton({ name, word }: { readonly name?: string; readonly word: string }): JSX.Element {
  const client = shownClient();
  const findChanges = async (): Promise<Changes> => {
    const all = await client.get("scenarios");
    return name === undefined ? all.restores : all.items.flatMap((one) => (one.name === name ? one.restores : []));
  };
  const end = async (): Promise<void> => {
    await client.delete(name === undefined ? "scenarios" : `scenarios/${encodeURIComponent(name)}`);
    showNotice("done", `${name === undefined ? "All scenarios are" : `${name} is`} over.`);
  };
  return <AskingButton word={word} about={name ?? "scenarios"} findChanges={findChanges} act={end} />;
}

/** Starts a shipped scenario. If that changes the account, lists the changes first. */
export function StartButton({ name, word }: { readonly name: string; readonly word: string }): JSX.Element {
  const client = shownClient();
  const findChanges = async (): Promise<Changes> => (await client.post("scenarios?dry_run=true", { name })).changes;
  const start = async (): Promise<void> => {
    await client.post("scenarios", { name });
    showNotice("done", `${name} started.`);
  };
  return <AskingButton word={word} about={name} findChanges={findChanges} act={start} />;
}

interface AskingButtonProps {
  readonly word: string;
  readonly about: string;
  readonly findChanges: () => Promise<Changes>;
  readonly act: () => Promise<void>;
}

/** A button that acts at once if nothing of the account changes, and otherwise lists the changes and asks. */
function AskingButton({ word, about, findChanges, act }: AskingButtonProps): JSX.Element {
  const [asked, ask] = useState<Changes>();
  const actOrAsk = async (): Promise<void> => {
    const changes = await findChanges();
    if (changes.length === 0) await act();
    else ask(changes);
  };
  const look = `button small ${word === "Start" ? "accent" : ""}`;
  return (
    <>
      <ActionButton class={look} onAct={actOrAsk} aria-label={`${word}: ${about}`}>
        {word}
      </ActionButton>
      {asked !== undefined && (
        <Confirm
          title={`${word} ${about}?`}
          goAhead={word}
          onGoAhead={() => {
            ask(undefined);
            void runAction(act);
          }}
          onCancel={() => ask(undefined)}
        >
          <p>This changes the account:</p>
          <ChangeList changes={asked} />
        </Confirm>
      )}
    </>
  );
}

export function ChangeList({ changes }: { readonly changes: Changes }): JSX.Element {
  return (
    <ul>
      {changes.map(({ setting, from, to }) => (
        <li key={setting}>
          <code>{setting}</code>: <bdi>{from ?? "none"}</bdi> becomes <bdi>{to ?? "none"}</bdi>
        </li>
      ))}
    </ul>
  );
}
