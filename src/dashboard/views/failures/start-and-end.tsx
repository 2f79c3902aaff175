import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ActiveScenarioJson, ScenarioPreview } from "../../../control/client/shapes.ts";
import { accountClient } from "../../api/sandbox.ts";
import { Confirm } from "../../parts/dialogs.tsx";
import { attempt } from "../../parts/notices.tsx";
import { goTo } from "../../route.ts";
import { accountKey } from "../../store.ts";

type Change = ScenarioPreview["changes"][number];

interface EndButtonProps {
  readonly consumerKey: string;
  /** Ends all scenarios if omitted. */
  readonly name?: string;
}

/** Ends one scenario or all. If that restores settings, lists them first. */
export function EndButton({ consumerKey, name }: EndButtonProps): JSX.Element {
  const [asked, ask] = useState<readonly Change[]>();
  const client = accountClient(consumerKey);
  const path = name === undefined ? "scenarios" : `scenarios/${encodeURIComponent(name)}`;
  const end = async (): Promise<void> => {
    ask(undefined);
    await attempt(() => client.delete(path), `${name === undefined ? "All scenarios are" : `${name} is`} over.`);
  };
  const askOrEnd = (): Promise<boolean> =>
    attempt(async () => {
      const { items } = await client.get<{ items: readonly ActiveScenarioJson[] }>("scenarios");
      const changes = restoredBy(items.filter((one) => name === undefined || one.name === name));
      if (changes.length > 0) ask(changes);
      else await end();
    });
  return (
    <>
      <button type="button" class="button small" aria-label={`End ${name ?? "all"}`} onClick={() => void askOrEnd()}>
        {name === undefined ? "End all" : "End"}
      </button>
      {asked !== undefined && (
        <Ending
          title={name === undefined ? "End all scenarios?" : `End ${name}?`}
          changes={asked}
          onEnd={end}
          onCancel={() => ask(undefined)}
        />
      )}
    </>
  );
}

/** Lists what is restored. If several scenarios changed a setting, the first one decides, because it is restored last. */
function restoredBy(scenarios: readonly ActiveScenarioJson[]): readonly Change[] {
  const all = scenarios.flatMap(({ restores }) => restores);
  return all.filter(({ setting }, index) => all.findIndex((other) => other.setting === setting) === index);
}

interface EndingProps {
  readonly title: string;
  readonly changes: readonly Change[];
  readonly onEnd: () => Promise<void>;
  readonly onCancel: () => void;
}

function Ending({ title, changes, onEnd, onCancel }: EndingProps): JSX.Element {
  return (
    <Confirm title={title} goAhead="End it" onGoAhead={() => void onEnd()} onCancel={onCancel}>
      Ending it restores what it replaced:
      <Changes changes={changes} isQuiet={false} />
    </Confirm>
  );
}

/** Lists settings of the account that change. */
function Changes({
  changes,
  isQuiet,
}: {
  readonly changes: readonly Change[];
  readonly isQuiet: boolean;
}): JSX.Element {
  return (
    <ul class={isQuiet ? "quiet" : ""}>
      {changes.map(({ setting, from, to }) => (
        <li key={setting}>
          <code>{setting}</code>: <bdi>{from ?? "none"}</bdi> becomes <bdi>{to ?? "none"}</bdi>
        </li>
      ))}
    </ul>
  );
}

interface StartButtonProps {
  readonly name: string;
  /** The button's label. */
  readonly word: "Start" | "Restart";
  readonly class: string;
}

/** Starts a shipped scenario and shows the active ones. Asks first if its setup changes the account. */
export function StartButton({ name, word, class: className }: StartButtonProps): JSX.Element {
  const [asked, ask] = useState<ScenarioPreview["changes"]>();
  const [isWithoutSetup, setWithoutSetup] = useState(false);
  const client = accountClient(accountKey.value ?? "default");
  const start = async (setup: "apply" | "skip"): Promise<void> => {
    ask(undefined);
    if (await attempt(() => client.post(`scenarios?setup=${setup}`, { name }), `${name} started.`))
      goTo({ view: "failures" });
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

/** Shows what the setup would change, and lets the user skip it. */
export function SetupChanges({ changes, isWithoutSetup, onWithoutSetup }: SetupProps): JSX.Element {
  return (
    <>
      <Changes changes={changes} isQuiet={isWithoutSetup} />
      <label class="row">
        <input
          type="checkbox"
          checked={isWithoutSetup}
          onChange={({ currentTarget }) => onWithoutSetup(currentTarget.checked)}
        />
        Start without setup: leave these as they are
      </label>
    </>
  );
}
