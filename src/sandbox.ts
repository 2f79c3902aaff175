import { parseHostList, reasonNeverSent } from "./gateway/adapters/delivery/egress.ts";
import type { Hono } from "hono";
import { pageFilesOnDisk } from "./control/page-files-on-disk.ts";
import { systemPause } from "./gateway/adapters/time/system-pause.ts";
import type { Swap } from "./gateway/account/decide/scenarios.ts";
import type { SandboxSettings } from "./config.ts";
import type { World } from "./gateway/engine/world.ts";
import type { LiveFindings } from "./verdict/live-findings.ts";
import { createApp } from "./gateway/http/app.ts";
import { ExchangeLog } from "./gateway/http/exchanges.ts";
import type { ControlOptions } from "./control/control-api.ts";
import type { AccountOwnership } from "./storage/replicas/account-ownership.ts";
import { StoreOutage } from "./gateway/ports/journal-store.ts";
import type { Pause } from "./gateway/ports/wall-clock.ts";
import type { Routing } from "./storage/replicas/routing.ts";
import type { RoutingOptions } from "./storage/replicas/with-owner.ts";
import { followMetrics } from "./control/metrics.ts";
import type { AccountOpener } from "./gateway/account-opener.ts";
import { openShippedScenarios } from "./gateway/adapters/files/shipped-scenarios.ts";
import { createWorld, type WorldOptions } from "./create-world.ts";
import { sandboxRoutes } from "./routes.ts";
import { closeAll, type OpenGateway } from "./gateway/open-gateway.ts";
import { controllerForMany, serveApp } from "./gateway/serve-app.ts";

export type { Listening } from "./gateway/adapters/server/node-server.ts";

/** Everything needed to start a sandbox besides its settings. */
export interface StartOptions extends WorldOptions {
  /** Logs an unexpected error and returns the id of its report. */
  readonly report: (fault: unknown) => string;
  /** Speeds up Node's listener by replacing the global Request and Response. Only for a process that runs nothing but a sandbox. */
  readonly overrideGlobals: boolean;
  /** Delays responses to clients. Defaults to wall time. */
  readonly pause?: Pause;
  /** Which replica owns which account. Defaults to the replica's own record. */
  readonly ownership?: AccountOwnership;
  /** The CA certificate to trust for HTTPS, as PEM text, served at /ca.pem. Defaults to none. */
  readonly ca?: string;
}

export interface RunningSandbox extends OpenGateway {
  readonly findings: LiveFindings;
  /** Which replica owns which account, if replicas share the sandbox. */
  readonly ownership?: AccountOwnership;
  /** Hands this replica's accounts over to the others. */
  leave(): Promise<void>;
  /** Replaces a scenario with its new version wherever it runs; wallets and journals are not reset. */
  swapScenario(swap: Swap): Promise<void>;
}

/** Builds a sandbox from its parts and opens its accounts. */
export async function startSandbox(settings: SandboxSettings, given: StartOptions): Promise<RunningSandbox> {
  const options = { ...given, report: onceForEachOutage(given.report) };
  const { world, findings, transport, opener, outage, replica, ...created } = await createWorld(settings, options);
  const join = lazily(created.join);
  const ownership = replica?.ownership ?? options.ownership;

  const stopping = controllerForMany();
  const pause = options.pause ?? systemPause();
  const exchanges = new ExchangeLog(stopping.signal, options.report);
  const told = { report: options.report, stopping: stopping.signal, pause, ...(ownership && { ownership }) };
  const shared = { ...told, exchanges };
  const admin = adminOf(settings);
  const services = { ...shared, ...admin, openAccount: opener.openWritten, transport };
  const fetch: RoutingOptions["fetch"] = (request, bindings) => app.fetch(request, bindings);
  const routing = ownership && (await loadRouting({ ...shared, ...opener, ownership, fetch }));
  const forward = routing?.forwardCall;
  const control = answerOnceLoaded(() => loadControl(world, { ...services, forward }, findings, settings));
  const page = answerOnceLoaded(() => loadDashboard(admin.adminHosts, options));
  const metrics = followMetrics(world, { ...shared, ...admin });
  const routes = sandboxRoutes({ control, page, metrics, outage, ownership, ca: options.ca });
  const app = createApp(
    {
      ...shared,
      ...opener,
      ...(routing && { forward: routing.handlers, openUnknown: routing.openUnknown }),
      world,
      maxPending: settings.max_pending,
      shipped: await openShippedScenarios(),
    },
    routes,
  );
  return {
    world,
    findings,
    ...serveApp(app, world, { report: options.report, overrideGlobals: options.overrideGlobals, join }),
    swapScenario: (swap) => swapEverywhere(swap, { ...told, ...admin, world, opener, api: control }),
    ...(ownership && { ownership }),
    leave: async () => replica?.leave(),
    close: async () => {
      await routing?.answered();
      return closeAll(stopping, world, [transport, ...(routing ? [routing] : [])]);
    },
  };
}

interface SwapOptions extends Pick<ControlOptions, "adminToken"> {
  readonly world: World;
  readonly opener: AccountOpener;
  readonly ownership?: AccountOwnership;
  readonly api: (request: Request) => Promise<Response>;
  readonly report: (fault: unknown) => void;
}

/** Replaces a scenario on the accounts of this sandbox, whichever replica owns them. */
async function swapEverywhere(swap: Swap, options: SwapOptions): Promise<void> {
  const { world, opener, ownership } = options;
  const here = world.list().map(({ consumerKey }) => consumerKey);
  opener.swapScenario(swap);
  const all = (await ownership?.accounts()) ?? [];
  await Promise.all(
    all.filter((account) => !here.includes(account)).map((account) => swapElsewhere(account, swap, options)),
  );
}

/** Has the owner of an account replace a scenario there, if it is active. */
async function swapElsewhere(
  account: string,
  { was, scenario }: Swap,
  { api, report, adminToken }: SwapOptions,
): Promise<void> {
  const url = `http://localhost/__admin/accounts/${encodeURIComponent(account)}/scenarios/${encodeURIComponent(was)}`;
  const headers = {
    "content-type": "application/json",
    ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
  };
  const { status } = await api(new Request(url, { method: "PUT", headers, body: JSON.stringify(scenario) }));
  if (status >= 500) report(new Error(`${account} keeps the scenario ${was} as it was: its owner answered ${status}`));
}

/** A store that cannot write fails every request, timer and callback, but is reported only once. */
function onceForEachOutage(report: StartOptions["report"]): StartOptions["report"] {
  return (fault) => {
    if (!(fault instanceof StoreOutage)) return report(fault);
    if (fault.isLogged) return "";
    fault.isLogged = true;
    return report(fault);
  };
}

/** Returns who may use the control API. */
function adminOf({ admin: { token, hosts } }: SandboxSettings): Pick<ControlOptions, "adminHosts" | "adminToken"> {
  return { adminHosts: hosts, ...(token !== undefined && { adminToken: token }) };
}

/** Loaded only if replicas share a sandbox. */
async function loadRouting(options: RoutingOptions): Promise<Routing> {
  const { openRouting } = await import("./storage/replicas/routing.ts");
  return openRouting(options);
}

type GivenControlOptions = Omit<ControlOptions, "alongside" | "routes" | "reasonNeverSent" | "shipped">;

async function loadControl(
  world: World,
  given: GivenControlOptions,
  findings: LiveFindings,
  { callback_allow: callbackAllow }: SandboxSettings,
): Promise<Hono> {
  const { createControlApi } = await import("./control/control-api.ts");
  const { streamVerdicts, verdictRoutes } = await import("./verdict/endpoints/routes.ts");
  return createControlApi(world, {
    ...given,
    routes: verdictRoutes(findings),
    alongside: streamVerdicts(findings),
    reasonNeverSent: (target) => reasonNeverSent(target, parseHostList(callbackAllow)),
    shipped: await openShippedScenarios(),
  });
}

async function loadDashboard(adminHosts: readonly string[], { report }: StartOptions): Promise<Hono> {
  const { createDashboard } = await import("./control/dashboard.ts");
  return createDashboard({ files: pageFilesOnDisk(), adminHosts, report });
}

function lazily<T, Given extends unknown[]>(load: (...given: Given) => Promise<T>): (...given: Given) => Promise<T> {
  let loading: Promise<T> | undefined;
  return (...given) => (loading ??= load(...given));
}

function answerOnceLoaded(load: () => Promise<Hono>): (request: Request) => Promise<Response> {
  const app = lazily(load);
  return async (request) => (await app()).fetch(request);
}
