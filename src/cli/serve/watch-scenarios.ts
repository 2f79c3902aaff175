import type { Millis } from "../../gateway/domain/time.ts";
import { type Files, reasonUnread } from "../../gateway/adapters/files/files-on-disk.ts";
import type { Pause } from "../../gateway/ports/wall-clock.ts";
import type { RunningSandbox } from "../../sandbox.ts";
import { type LoadedScenario, readScenarioFile } from "../../load-scenarios.ts";
import type { EventLog } from "../log/event-log.ts";

export interface ScenarioWatch {
  readonly running: Pick<RunningSandbox, "swapScenario">;
  readonly scenarios: readonly LoadedScenario[];
  readonly files: Files;
  readonly pause: Pause;
  readonly log: Pick<EventLog, "notice">;
}

/** The interval between checks. Files are polled, because changes to mounted volumes trigger no notifications. */
const POLL_INTERVAL: Millis = 1_000;

/** Polls scenario files until it is stopped. Applies a changed file, unless it has mistakes. */
export async function watchScenarios(watch: ScenarioWatch, stopping: AbortSignal): Promise<void> {
  const watched = watch.scenarios.flatMap(({ scenario, file, text }) =>
    file === undefined || text === undefined ? [] : [{ file, name: scenario.name, seen: text }],
  );
  while (await pauseUnless(stopping, watch.pause)) {
    for (const one of watched) await reload(one, watched, watch);
  }
}

interface Watched {
  readonly file: string;
  /** The name of the running scenario. */
  name: string;
  /** The text last read. */
  seen: string;
}

/** Resolves to false once it is stopped. */
async function pauseUnless(stopping: AbortSignal, pause: Pause): Promise<boolean> {
  try {
    await pause(POLL_INTERVAL, stopping);
    return true;
  } catch (reason) {
    if (stopping.aborted) return false;
    throw reason;
  }
}

async function reload(watched: Watched, all: readonly Watched[], watch: ScenarioWatch): Promise<void> {
  const content = watch.files.read(watched.file);
  const seen = "text" in content ? content.text : reasonUnread(content);
  if (seen === watched.seen) return;
  watched.seen = seen;
  const { file, name: was } = watched;
  const found =
    "text" in content ? await readScenarioFile(file, content.text) : { problems: [`${file} cannot be read: ${seen}`] };
  const problems = "scenario" in found ? findTaken(found.scenario.name, watched, all, watch) : found.problems;
  if (!("scenario" in found) || problems.length > 0)
    return report("warn", [`${file} changed, but ${was} was not replaced:`, ...problems]);
  await watch.running.swapScenario({ was, scenario: found.scenario });
  watched.name = found.scenario.name;
  report("info", [`${file} changed: ${was} is replaced.`]);

  function report(level: "info" | "warn", lines: readonly string[]): void {
    watch.log.notice(level, lines.join("\n"), { file });
  }
}

/** Two scenarios of the same name cannot run on one account. */
function findTaken(name: string, watched: Watched, all: readonly Watched[], watch: ScenarioWatch): string[] {
  const others = all.filter((other) => other !== watched).map((other) => other.name);
  const shipped = watch.scenarios.flatMap(({ scenario, file }) => (file === undefined ? [scenario.name] : []));
  return [...others, ...shipped].includes(name)
    ? [`${watched.file}: another scenario is already called ${name}; give it another name`]
    : [];
}
