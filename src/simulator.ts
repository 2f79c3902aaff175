import { setMaxListeners } from "node:events";
import { type AccountOpener, accountOpener } from "./simulator-accounts.ts";
import { turnsEnd } from "./adapters/turns-end.ts";
import { digestSecrets } from "./adapters/digest-secrets.ts";
import { listen, type ListenAt, type Listening, type RequestListener } from "./adapters/node-server.ts";
import type { Hono } from "hono";
import { pageFilesOnDisk } from "./adapters/page-files-on-disk.ts";
import { systemPause } from "./adapters/system-pause.ts";
import type { Swap } from "./account/decide/scenarios.ts";
import type { SandboxSettings } from "./config/sandbox-settings.ts";
import type { Scenario } from "./domain/scenario.ts";
import type { Kept } from "./engine/surroundings.ts";
import type { World } from "./engine/world.ts";
import type { LiveFindings } from "./findings/live-findings.ts";
import { socketAnswers, type SocketOptions } from "./http/answer-socket.ts";
import type { AppOptions, createApp } from "./http/app.ts";
import { ConnectionBroken } from "./http/breakage.ts";
import type { Bindings } from "./http/call.ts";
import type { ControlOptions } from "./http/control/control-api.ts";
import { refuseUnreadable } from "./http/refuse-unreadable.ts";
import type { JournalStore } from "./ports/journal-store.ts";
import type { Pause } from "./ports/pause.ts";
import type { WallClock } from "./ports/wall-clock.ts";
import type { CallbackTransport } from "./ports/callback-transport.ts";
import { openLibrary } from "./simulator-shipped.ts";
import { followMetrics } from "./simulator-metrics.ts";
import { openGround } from "./simulator-world.ts";
import { VERSION } from "./version.ts";

export type { Listening } from "./adapters/node-server.ts";

/** What a sandbox is told besides its settings. */
export interface SimulatorOptions {
  /** Writes a fault down; answers the name of the report. */
  readonly report: (fault: unknown) => string;
  /** Makes Node's listener faster by replacing the global Request and Response: for a process that is nothing but a sandbox. */
  readonly overrideGlobals: boolean;
  /** What every account begins with, the one that is asked first in front; none unless told. */
  readonly scenarios?: readonly Scenario[];
  /** What clients are made to wait with; wall time unless told. */
  readonly pause?: Pause;
  /** What accounts take for wall time; the machine's own unless told. */
  readonly wall?: WallClock;
  /** Where journals are kept, and what it has of an earlier process; in memory, and nothing, unless told. */
  readonly store?: JournalStore;
  readonly kept?: readonly Kept[];
  /** The certificate to trust for HTTPS, as PEM text, served at /ca.pem; none unless told. */
  readonly ca?: string;
}

/** A sandbox, running. */
export interface Simulator {
  readonly world: World;
  readonly findings: LiveFindings;
  /** Answers a request without a socket; jobs that wait for the acknowledgment run once the Response has resolved. */
  fetch(request: Request): Promise<Response>;
  listen(at: ListenAt): Promise<Listening>;
  /** Puts a scenario in the place of what it was before, wherever it runs; wallets and journals go on. */
  swapScenario(swap: Swap): Promise<void>;
  /** Stops clocks, callbacks and streams; answers how many transactions had something still to come. */
  close(): Promise<number>;
}

/** Builds a sandbox out of its parts and opens its accounts. */
export async function startSimulator(settings: SandboxSettings, options: SimulatorOptions): Promise<Simulator> {
  const { world, findings, random, transport } = openGround(settings, options);
  const { scenarios = [] } = options;
  const opener = accountOpener(world, settings, { random, scenarios });
  await openAccounts(world, opener, settings);

  const stopping = controllerForMany();
  const shared = { secrets: digestSecrets(), report: options.report, stopping: stopping.signal };
  const { adminToken, adminHosts } = settings;
  const { openWritten: openAccount } = opener;
  const admin = { adminHosts, ...(adminToken !== undefined && { adminToken }) };
  const control = lazily(() => loadControl(world, { ...shared, ...admin, openAccount, findings, transport }, settings));
  const page = lazily(() => loadDashboard(adminHosts, options));
  const told: AppOptions = {
    ...shared,
    world,
    shipped: await openLibrary(),
    openUnknown: (consumerKey) => opener.openUnknown(consumerKey),
    control: async (request, env) => onceSecured(world, await (await control()).fetch(request, env)),
    page: async (request) => (await page()).fetch(request),
    metrics: followMetrics(world, { ...shared, ...admin }),
    pause: options.pause ?? systemPause(),
    turnsEnd,
    ...(options.ca !== undefined && { ca: options.ca }),
  };
  const app = lazily(() => loadApp(told));
  return {
    world,
    findings,
    fetch: (request) => fetchInProcess(app, request),
    swapScenario: (swap) => opener.swapScenario(swap),
    listen: async (at) => {
      const listening = await listen(listenerOf(app, { ...told, ...options }), at);
      // What receivers call back for is there now.
      world.wake();
      return listening;
    },
    close: () => closeAll(stopping, world, transport),
  };
}

/** Those that an earlier process left go on as they are, whatever the settings say of them. */
async function openAccounts(world: World, opener: AccountOpener, { accounts }: SandboxSettings): Promise<void> {
  for (const template of accounts) if (world.resume(template.consumerKey) === undefined) await opener.open(template);
  world.resumeAll();
}

/** Nobody is told of what a crash could still undo. */
async function onceSecured(world: World, answer: Response): Promise<Response> {
  await world.secured();
  return answer;
}

type Told = Omit<ControlOptions, "probe" | "shipped" | "version">;

async function loadControl(world: World, told: Told, { callbackAllow }: SandboxSettings): Promise<Hono> {
  const { createControlApi } = await import("./http/control/control-api.ts");
  const { systemProbe } = await import("./adapters/system-probe.ts");
  const { shippedScenarios } = await import("./simulator-scenarios.ts");
  return createControlApi(world, { ...told, probe: systemProbe(callbackAllow), shipped: shippedScenarios, version: VERSION });
}

async function loadDashboard(adminHosts: readonly string[], { report }: SimulatorOptions): Promise<Hono> {
  const { createDashboard } = await import("./http/dashboard.ts");
  return createDashboard({ files: pageFilesOnDisk(), adminHosts, report });
}

/** One that every open stream listens to: without a limit, Node takes the eleventh listener for a leak. */
function controllerForMany(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

type App = ReturnType<typeof createApp>;

/** The gateway's own requests need nothing of it. */
async function loadApp(options: AppOptions): Promise<App> {
  const { createApp } = await import("./http/app.ts");
  return createApp(options);
}

function listenerOf(app: () => Promise<App>, options: ListenerOptions): RequestListener {
  const others = lazily(async () => loadListener(await app(), options));
  const answerSocket = socketAnswers(options);
  return (incoming, outgoing) => {
    if (!answerSocket(incoming, outgoing)) others().then((listener) => listener(incoming, outgoing), options.report);
  };
}

type ListenerOptions = SocketOptions & SimulatorOptions;

/** For what is not the gateway's own. */
async function loadListener({ fetch }: App, options: ListenerOptions): Promise<RequestListener> {
  const { getRequestListener, RequestError } = await import("@hono/node-server");
  const listener = getRequestListener((request, env) => fetch(request, env), {
    overrideGlobalObjects: options.overrideGlobals,
    // For HTTP/1.0, which need not name a host.
    hostname: "localhost",
    errorHandler: (fault) =>
      fault instanceof RequestError ? refuseUnreadable(options.world.freshId()) : reportUnlessScripted(fault, options),
  });
  return (incoming, outgoing) => void listener(incoming, outgoing);
}

/** A bug that not even its own answer survived; or a connection that a scenario broke, on which all has been sent. */
function reportUnlessScripted(fault: unknown, { report }: SimulatorOptions): Response | undefined {
  if (fault instanceof ConnectionBroken) return undefined;
  report(fault);
  return new Response(null, { status: 500 });
}

/**
 * Jobs that wait for an acknowledgment run after whoever awaits the Response has been told of it: one microtask later, and
 * not a turn of the event loop, so that an advance that follows finds nothing that still waits.
 */
async function fetchInProcess(app: () => Promise<App>, request: Request): Promise<Response> {
  const jobs: (() => void)[] = [];
  try {
    const bindings: Bindings = { request, afterResponse: (job) => void jobs.push(job) };
    const { fetch } = await app();
    return await fetch(request, bindings);
  } catch (fault) {
    throw request.signal.aborted ? request.signal.reason : fault;
  } finally {
    // The first microtask comes just before that of the Response, the one it queues just after.
    queueMicrotask(() => queueMicrotask(() => jobs.forEach((job) => job())));
  }
}

async function closeAll(stopping: AbortController, world: World, transport: CallbackTransport): Promise<number> {
  stopping.abort();
  const left = world.close();
  await transport.close();
  return left;
}

function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => (loading ??= load());
}
