import type { JSX } from "preact";
import type { FindingJson, ReportJson } from "../../../verdict/endpoints/shapes.ts";
import { shellQuoted } from "../../api/curl.ts";
import { accountClient, download, sandbox } from "../../api/sandbox.ts";
import { useFollowed } from "../../parts/use-followed.ts";
import { Pills } from "../../parts/controls.tsx";
import { ActionButton } from "../../parts/form.tsx";
import { Copyable, View } from "../../parts/parts.tsx";
import { currentRoute, setQuery } from "../../base/route.ts";
import { account, accountKey, accounts, live } from "../../live/store.ts";
import { MatrixTable } from "./matrix-table.tsx";
import { OpenedTrial } from "./opened-trial.tsx";
import { ProblemCard } from "./problem-card.tsx";
import { SEVERITIES } from "../../../verdict/severities.ts";
import { describeTime } from "../../../verdict/time-spent.ts";
import { type ListedProblem, listProblems, VERDICTS } from "../../live/backend-problems.ts";
import { describeExploration, describeUnjudged, isRunning } from "./progress.ts";
import { counted } from "../../../gateway/domain/counted.ts";

/** What is wrong with the backend: each problem with its proof and repair, then the matrix, then what was not looked at. */
export function VerdictView(): JSX.Element {
  const key = accountKey.value ?? "default";
  const findings = useFindings(key);
  const report = useReport(key);
  const { item } = currentRoute.value;
  // One of them alone would move when the other is read.
  const isRead = findings !== undefined && (report !== undefined || live.value?.exploration.value === undefined);
  return (
    <View title="Verdict">
      <div class={`inspected${item === undefined ? "" : " open"}`}>
        <div class="verdict stack">
          {isRead ? <Verdict findings={findings} report={report} /> : <p class="quiet">Loading…</p>}
        </div>
        {item !== undefined && report !== undefined && <OpenedTrial id={item} report={report} />}
      </div>
    </View>
  );
}

interface VerdictProps {
  readonly findings: readonly FindingJson[];
  readonly report: ReportJson | undefined;
}

function Verdict({ findings, report }: VerdictProps): JSX.Element {
  const problems = listProblems(findings, report?.problems ?? []);
  return (
    <>
      {report !== undefined && <Progress report={report} problems={problems} />}
      <div class="stack beside">
        <div class="stack">
          <Problems problems={problems} report={report} />
        </div>
        {report === undefined ? (
          <NotExplored />
        ) : (
          <div class="stack">
            <MatrixTable report={report} />
            <Unseen report={report} />
          </div>
        )}
      </div>
    </>
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
    <div class="row" role="group" aria-label="Download the report">
      <span class="quiet">Report</span>
      {Object.entries(FORMATS).map(([format, title]) => (
        <ActionButton
          key={format}
          class="button small"
          aria-label={`Download the report as ${title}`}
          onAct={() =>
            download(`report?format=${format}`, `kredo-report.${format.replace("junit", "xml")}`, consumerKey)
          }
        >
          {title}
        </ActionButton>
      ))}
    </div>
  );
}

interface ProblemsProps extends Pick<VerdictProps, "report"> {
  readonly problems: readonly ListedProblem[];
}

function Progress({ report, problems }: ProblemsProps & { readonly report: ReportJson }): JSX.Element {
  const { application = report.name, seed, runs, redundant, duration_ms: millis, time, done, total } = report;
  return (
    <section aria-label="Progress">
      <p>
        <strong role="status">{describeExploration(report, problems)}</strong> <bdi>{application}</bdi>
      </p>
      {isRunning(report) && <progress aria-label="Explored so far" max={total} value={done} />}
      <p class="quiet">
        {counted(runs, "run")}
        {redundant > 0 && ` (${counted(redundant, "redundant one")} skipped)`}; seed {seed}; took{" "}
        {describeTime(millis, time)}.
      </p>
    </section>
  );
}

function Problems({ problems, report }: ProblemsProps): JSX.Element {
  const { severity = "" } = currentRoute.value.query;
  const of = (wanted: string): number => problems.filter(({ is }) => is === wanted).length;
  return (
    <>
      <div class="spread">
        {problems.length === 0 && <p>No problem noticed so far.</p>}
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
          <ProblemCard key={problem.sentence} problem={problem} trials={report?.trials ?? []} />
        ))}
    </>
  );
}

function Unseen({ report }: { readonly report: ReportJson }): JSX.Element {
  return (
    <ul class="quiet" aria-label="What was not looked at">
      {describeUnjudged(report).map((line) => (
        <li key={line} dir="auto">
          {line}
        </li>
      ))}
    </ul>
  );
}

function NotExplored(): JSX.Element {
  const consumerKey = accountKey.value ?? "default";
  const ofAccount = consumerKey === accounts.value[0] ? "" : ` --account ${shellQuoted(consumerKey)}`;
  return (
    <section class="card stack close" aria-labelledby="verdict-explore">
      <h2 id="verdict-explore">Explore your application</h2>
      <p>
        Not looked at: what your application says of its orders. <code>kredo explore</code> places orders in it, makes
        every failure happen at every step, and compares. Describe the application once, in its folder:
      </p>
      <Copyable text="npx kredo init --app" label="the command that describes the application" />
      <p>Then explore it. It resets the account's wallet and journal, and returns its settings afterwards.</p>
      <Copyable text={`npx kredo explore --url ${location.origin}${ofAccount}`} label="the command that explores" />
    </section>
  );
}
