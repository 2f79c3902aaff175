import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ExplorationProgress, ReportJson } from "../../../verdict/shapes.ts";
import { quoted } from "../../api/curl.ts";
import { accountClient, saveFile } from "../../api/sandbox.ts";
import { Refresher } from "../../live/refresher.ts";
import { attempt } from "../../parts/notices.tsx";
import { Copyable, Empty, Panel } from "../../parts/parts.tsx";
import { hrefOf, route } from "../../route.ts";
import { accountKey, accounts, live } from "../../store.ts";
import { type TrialCell, arrange, VERDICTS, MatrixTable } from "./matrix-table.tsx";
import { OpenedCell } from "./opened-cell.tsx";
import { describeProgress, isRunning } from "./progress.ts";

/** Shows what `kredo explore` does to an application, cell by cell, while it runs. */
export function ExplorationPanel(): JSX.Element {
  const exploration = useExploration(accountKey.value ?? "");
  const { item } = route.value;
  return (
    <Panel title="Exploration" tools={exploration && <Tools exploration={exploration} />}>
      <div class={`inspected${item === undefined ? "" : " open"}`}>
        <div class="exploration stack">
          {live.value?.exploration.value === undefined ? (
            <NotExplored />
          ) : (
            exploration && <Explored exploration={exploration} />
          )}
        </div>
        {item !== undefined && exploration !== undefined && <OpenedCell id={item} exploration={exploration} />}
      </div>
    </Panel>
  );
}

/** Reads the cells whenever the account's stream reports new ones. */
function useExploration(consumerKey: string): ReportJson | undefined {
  const [exploration, setExploration] = useState<ReportJson>();
  useEffect(() => {
    const refresher = new Refresher(() =>
      attempt(async () => setExploration(await accountClient(consumerKey).get<ReportJson>("exploration"))),
    );
    const stopFollowing = effect(() => {
      if (live.value?.exploration.value === undefined) setExploration(undefined);
      else refresher.ask();
    });
    return () => {
      stopFollowing();
      refresher.stop();
    };
  }, [consumerKey]);
  return exploration;
}

function Tools({ exploration }: { readonly exploration: ReportJson }): JSX.Element {
  const save = (): void =>
    saveFile(
      "kredo-exploration.json",
      new Blob([JSON.stringify(exploration, undefined, 2)], { type: "application/json" }),
    );
  return (
    <button type="button" class="button small" onClick={save}>
      Download JSON
    </button>
  );
}

function Explored({ exploration }: { readonly exploration: ReportJson }): JSX.Element {
  const { trials: cells } = exploration;
  return (
    <>
      <Progress exploration={exploration} />
      <Defects exploration={exploration} />
      <section class="card stack-s" aria-label="Matrix">
        <Legend cells={cells} />
        <MatrixTable matrix={arrange(cells)} />
      </section>
    </>
  );
}

function Progress({ exploration }: { readonly exploration: ExplorationProgress }): JSX.Element {
  const { application, seed, runs, redundant, duration_ms: millis, stopped, done, total } = exploration;
  const unseen = exploration.not_looked_at.join(", ");
  return (
    <section class="stack-s" aria-label="Progress">
      <p>
        <strong role="status">{describeProgress(exploration)}</strong> <bdi>{application}</bdi>
      </p>
      {isRunning(exploration) && <progress aria-label="Explored so far" max={total} value={done} />}
      <p class="quiet">
        {runs.toLocaleString("en")} runs in {Math.round(millis / 1_000).toLocaleString("en")} s
        {redundant > 0 && ` (${redundant.toLocaleString("en")} redundant ones skipped)`}; seed {seed}.
        {stopped !== undefined && ` Not everything was tried: ${stopped}.`}
        {unseen !== "" && ` Not looked at: ${unseen}.`}
      </p>
    </section>
  );
}

function Defects({
  exploration: { problems, trials: cells },
}: {
  readonly exploration: ReportJson;
}): JSX.Element | null {
  const defects = problems.filter(({ is }) => is === "defect");
  if (defects.length === 0) return null;
  return (
    <section class="stack" aria-label="Defects">
      {defects.map(({ id, sentence, seen, repair, trials: having, replay }) => (
        <article key={sentence} class="card finding defect" aria-label={sentence}>
          <header class="spread">
            <h2>{sentence}</h2>
            <code class="quiet">{id}</code>
          </header>
          <Where ids={having} cells={cells} />
          <p dir="auto">{seen}</p>
          {repair !== undefined && <p>{repair}</p>}
          {replay !== undefined && <Copyable text={`npx ${replay}`} label="the command that replays it" />}
        </article>
      ))}
    </section>
  );
}

/** Links the first cell, which is described in full, and keeps the others folded, because the matrix shows them all. */
function Where({
  ids: [first, ...others],
  cells,
}: {
  readonly ids: readonly string[];
  readonly cells: readonly TrialCell[];
}): JSX.Element {
  const link = (id: string): JSX.Element => {
    const cell = cells.find((cell) => cell.id === id);
    return (
      <a href={hrefOf({ view: "verdict", item: id })}>
        {cell === undefined ? id : `${cell.operation}: ${cell.faults}`}
      </a>
    );
  };
  return (
    <>
      {first !== undefined && <p>{link(first)}</p>}
      {others.length > 0 && (
        <details>
          <summary>and {others.length === 1 ? "another failure" : `${others.length} other failures`}</summary>
          <ul>
            {others.map((id) => (
              <li key={id}>{link(id)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Legend({ cells }: { readonly cells: readonly TrialCell[] }): JSX.Element {
  return (
    <ul class="row quiet" aria-label="Verdicts">
      {Object.entries(VERDICTS).map(([verdict, { sign, title, tone }]) => (
        <li key={verdict}>
          <span class={`badge ${tone}`} aria-hidden="true">
            {sign}
          </span>{" "}
          {title}{" "}
          <span class="number">{cells.filter((cell) => cell.verdict === verdict).length.toLocaleString("en")}</span>
        </li>
      ))}
    </ul>
  );
}

function NotExplored(): JSX.Element {
  const key = accountKey.value ?? "";
  const account = key === accounts.value[0] ? "" : ` --account ${quoted(key)}`;
  return (
    <Empty title="Your application has not been explored yet">
      {route.value.item !== undefined && (
        <p>
          There is no cell <strong dir="auto">{route.value.item}</strong>: an exploration is kept until the sandbox
          stops.
        </p>
      )}
      <p>
        <code>kredo explore</code> places orders in your application, makes every failure happen at every step, and
        compares what your application says with what the gateway did. Describe the application once, in its folder:
      </p>
      <Copyable text="npx kredo init --app" label="the command that describes the application" />
      <p>
        Then explore it. The matrix fills in here while it runs. It resets the account's wallet and journal, and returns
        its settings afterwards.
      </p>
      <Copyable text={`npx kredo explore --url ${location.origin}${account}`} label="the command that explores" />
    </Empty>
  );
}
