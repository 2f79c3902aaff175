import type { JSX } from "preact";
import type { FindingJson, ReportJson, TrialReport } from "../../../verdict/endpoints/shapes.ts";
import { shellQuoted } from "../../api/curl.ts";
import { accountClient, download, sandbox } from "../../api/sandbox.ts";
import { useClosed } from "../../parts/focus.ts";
import { useFollowed } from "../../parts/use-followed.ts";
import { Pills } from "../../parts/controls.tsx";
import { ActionButton } from "../../parts/form.tsx";
import { Copyable, View } from "../../parts/parts.tsx";
import { currentRoute, setQuery } from "../../base/route.ts";
import { account, accountKey, accounts, live } from "../../live/store.ts";
import { MatrixTable } from "./matrix-table.tsx";
import { hrefOfTrial, OpenedTrial } from "./opened-trial.tsx";
import { ProblemCard } from "./problem-card.tsx";
import { describeRest, listOutcomes } from "../../../verdict/report/describe-rest.ts";
import { SEVERITIES } from "../../../verdict/severities.ts";
import { describeTime } from "../../../verdict/time-spent.ts";
import { type ListedProblem, listProblems, VERDICTS } from "../../live/backend-problems.ts";
import { describeExploration, describeTraffic, isRunning } from "./progress.ts";
import { counted } from "../../../gateway/domain/counted.ts";

/** What is wrong with the backend: each problem with its proof and repair, then the matrix, then what was not looked at. */
export function VerdictView(): JSX.Element {
  const key = accountKey.value ?? "default";
  const findings = useFindings(key);
  const report = useReport(key);
  const { item, query } = currentRoute.value;
  useClosed(item && hrefOfTrial(item, query["exchange"]), focusOpener);
  // One of them alone would move when the other is read.
  const isRead = findings !== undefined && (report !== undefined || live.value?.exploration.value === undefined);
  if (!isRead) return <View title="Verdict">Loading…</View>;
  return (
    <View title="Verdict">
      {report === undefined ? <NotExplored findings={findings} /> : <Explored findings={findings} report={report} />}
    </View>
  );
}

/** Goes on from the link that opened a trial; after moving through the matrix, from its cell. */
function focusOpener(href: string): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>(`.verdict a[href="${CSS.escape(href)}"]`)?.focus();
}

interface VerdictProps {
  readonly findings: readonly FindingJson[];
  readonly report: ReportJson;
}

/** Before anything was explored: what traffic showed, which is not announced order by order, and what was not looked at. */
function NotExplored({ findings }: Pick<VerdictProps, "findings">): JSX.Element {
  const problems = listProblems(findings, []);
  const consumerKey = accountKey.value ?? "default";
  const ofAccount = consumerKey === accounts.value[0] ? "" : ` --account ${shellQuoted(consumerKey)}`;
  return (
    <div class="verdict stack">
      <div class="stack">
        <h2>{account.value && describeTraffic(account.value.reading, problems)}</h2>
        <Problems problems={problems} trials={[]} />
        <section class="card stack close" aria-labelledby="verdict-explore">
          <h3 id="verdict-explore">Not looked at: what your application says of its orders</h3>
          <p>
            <code>kredo explore</code> places orders in it, makes every failure happen at every step, and compares.
            Describe the application once, in its folder:
          </p>
          <Copyable text="npx kredo init --app" label="the command that describes the application" />
          <p>Then explore it. It resets the account's wallet and journal, and returns its settings afterwards.</p>
          <Copyable text={`npx kredo explore --url ${location.origin}${ofAccount}`} label="the command that explores" />
        </section>
      </div>
    </div>
  );
}

/** On a wide page, an opened trial takes the place of the column from which it was not opened, so that the other one stays. */
function Explored({ findings, report }: VerdictProps): JSX.Element {
  const { item, query } = currentRoute.value;
  const problems = listProblems(findings, report.problems);
  // While it runs, nothing moves when the first one comes.
  const isWide = problems.length > 0 || isRunning(report);
  const opened = item === undefined ? "" : query["exchange"] ? "open by-problem" : "open by-cell";
  return (
    <div class={`inspected ${opened}`}>
      <div class={`verdict stack${isWide ? " wide" : ""}`}>
        <div class="stack">
          <Progress report={report} problems={problems} />
          <Problems problems={problems} trials={report.trials} />
        </div>
        <div class="stack">
          <MatrixTable report={report} />
          <ul class="quiet" aria-label="What was not looked at">
            {[...describeRest(report), ...listOutcomes(report)].map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      </div>
      {item !== undefined && <OpenedTrial id={item} report={report} />}
    </div>
  );
}

/** Reads what live checks have found whenever the journal has grown. The stream does not report how often something was seen again. */
function useFindings(key: string): readonly FindingJson[] | undefined {
  return useFollowed(
    key,
    () => account.value,
    async () => {
      const [own, ofUnknownKeys] = await Promise.all([accountClient(key).list("findings"), sandbox().list("findings")]);
      const unknown = ofUnknownKeys.map((one) => ({ ...one, seen: `With an unknown key: ${one.seen}` }));
      return [...own, ...unknown];
    },
  );
}

/** Reads the report of the latest exploration or rehearsal whenever the account's stream says that it has changed. */
function useReport(key: string): ReportJson | undefined {
  return useFollowed(
    key,
    () => live.value?.exploration.value,
    async () => (live.peek()?.exploration.peek() === undefined ? undefined : accountClient(key).get("exploration")),
  );
}

const FORMATS = { html: "HTML", json: "JSON", junit: "JUnit" } as const;

/** Downloads the report on the account's traffic. A plain link could not send the admin token. */
function Reports(): JSX.Element {
  const consumerKey = accountKey.value ?? "default";
  return (
    <p class="row quiet" role="group" aria-label="Download the report">
      Report
      {Object.entries(FORMATS).map(([format, title]) => (
        <ActionButton
          key={format}
          class="link"
          onAct={() =>
            download(`report?format=${format}`, `kredo-report.${format.replace("junit", "xml")}`, consumerKey)
          }
        >
          {title}
        </ActionButton>
      ))}
    </p>
  );
}

/** The result so far. One line below it while it runs, so that nothing moves. */
function Progress({ report, problems }: { report: ReportJson; problems: ListedProblem[] }): JSX.Element {
  const { application = report.name, doing, seed, runs, redundant, duration_ms: millis, time, done, total } = report;
  const skipped = redundant > 0 && ` (${counted(redundant, "redundant one")} skipped)`;
  return (
    <div>
      <h2>
        <span role="status">{describeExploration(report, problems)}</span>
      </h2>
      {isRunning(report) ? (
        <p class="quiet doing" title={doing}>
          <progress aria-label="Explored so far" max={total} value={done} /> Now: {doing}
        </p>
      ) : (
        <p class="quiet">
          <bdi>{application}</bdi>: {counted(runs, "run")}
          {skipped}, seed {seed}, took {describeTime(millis, time)}
        </p>
      )}
    </div>
  );
}

function Problems({ problems, trials }: { problems: ListedProblem[]; trials: TrialReport[] }): JSX.Element {
  const { severity = "" } = currentRoute.value.query;
  const of = (wanted: string): number => problems.filter(({ is }) => is === wanted).length;
  return (
    <>
      <div class="spread">
        {problems.length > 0 && (
          <Pills
            label="Severity"
            options={[
              { value: "", title: "All", count: problems.length },
              ...SEVERITIES.map((value) => ({ value, title: `${VERDICTS[value].title}s`, count: of(value) })),
            ]}
            chosen={severity}
            onChoose={(severity) => setQuery({ severity })}
          />
        )}
        <Reports />
      </div>
      {problems
        .filter(({ is }) => severity === "" || is === severity)
        .map((problem) => (
          <ProblemCard key={problem.sentence} problem={problem} trials={trials} />
        ))}
    </>
  );
}
