import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ScenarioPreview } from "../../../control-client/shapes.ts";
import { accountClient } from "../../api/sandbox.ts";
import { Confirm } from "../../parts/dialogs.tsx";
import { attempt } from "../../parts/notices.tsx";
import { goTo } from "../../route.ts";
import { accountKey } from "../../store.ts";
import { Changes } from "./ending.tsx";

interface StartButtonProps {
  readonly name: string;
  /** What the button says. */
  readonly word: "Start" | "Restart";
  readonly class: string;
}

/** Starts a shipped scenario, and shows it among those that are active. Where its setup changes the account, it asks first. */
export function StartButton({ name, word, class: className }: StartButtonProps): JSX.Element {
  const [asked, ask] = useState<ScenarioPreview["changes"]>();
  const [isWithoutSetup, setWithoutSetup] = useState(false);
  const client = accountClient(accountKey.value ?? "default");
  const start = async (setup: "apply" | "skip"): Promise<void> => {
    ask(undefined);
    if (await attempt(() => client.post(`scenarios?setup=${setup}`, { name }), `${name} started.`)) goTo({ panel: "scenarios" });
  };
  const askOrStart = (): Promise<boolean> =>
    attempt(async () => {
      const { changes } = await client.post<ScenarioPreview>("scenarios?dry_run=true", { name });
      if (changes.length > 0) ask(changes);
      else await start("apply");
    });
  return (
    <>
      <button type="button" class={className} aria-label={`${word}: ${name}`} onClick={() => void askOrStart()}>
        {word}
      </button>
      {asked !== undefined && (
        <Confirm
          title={`${word} ${name}?`}
          goAhead={`${word} it`}
          onGoAhead={() => void start(isWithoutSetup ? "skip" : "apply")}
          onCancel={() => ask(undefined)}
        >
          <p>It changes the account:</p>
          <SetupChanges changes={asked} isWithoutSetup={isWithoutSetup} onWithoutSetup={setWithoutSetup} />
        </Confirm>
      )}
    </>
  );
}

interface SetupProps {
  readonly changes: ScenarioPreview["changes"];
  readonly isWithoutSetup: boolean;
  readonly onWithoutSetup: (isWithout: boolean) => void;
}

/** What starting would change, and the choice to leave it. */
export function SetupChanges({ changes, isWithoutSetup, onWithoutSetup }: SetupProps): JSX.Element {
  return (
    <>
      <Changes changes={changes} isQuiet={isWithoutSetup} />
      <label class="row">
        <input type="checkbox" checked={isWithoutSetup} onChange={({ currentTarget }) => onWithoutSetup(currentTarget.checked)} />
        Start without setup: leave these as they are
      </label>
    </>
  );
}
