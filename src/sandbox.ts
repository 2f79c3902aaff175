import type { Hono } from "hono";
import type { SandboxSettings } from "./config.ts";
import type { ControlOptions } from "./control/control-api.ts";
import type { ControlEnv } from "./control/env.ts";
import { followMetrics } from "./control/metrics.ts";
import { pageFilesOnDisk } from "./control/page-files-on-disk.ts";
import type { Swap } from "./gateway/account/decide/scenarios.ts";
import { parseHostList, reasonNeverSent } from "./gateway/adapters/delivery/egress.ts";
import { openShippedScenarios } from "./gateway/adapters/files/shipped-scenarios.ts";
import type { World } from "./gateway/engine/world.ts";
import type { GatewayEnv } from "./gateway/http/bindings.ts";
import { type GatewayParts, openGateway, type OpenGateway, type OpenParts } from "./gateway/open-gateway.ts";
import { NotTheOwner, StoreOutage } from "./gateway/ports/journal-store.ts";
import { sandboxRoutes } from "./routes.ts";
import type { AccountOwnership } from "./storage/journal/account-ownership.ts";
import type { ReplicaOptions, RunningReplica } from "./storage/replicas/replica.ts";
import type { Routing } from "./storage/replicas/routing.ts";
import type { RoutingOptions } from "./storage/replicas/with-owner.ts";
import { WATCHERS } from "./verdict/checks/all-checks.ts";
import { LiveFindings } from "./verdict/checks/live-findings.ts";

/** Everything needed to start a sandbox besides its settings. */
export interface StartOptions extends Omit<GatewayParts, "sharing" | "expectNotElsewhere" | "onOpened" | "extend"> {
  /** Set if this process is one of several replicas. Replaces `store` and `wall`. */
  readonly replica?: ReplicaOptions;
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

/** Opens a gateway with the control API, findings, the page and the metrics before it, and with the journals of earlier processes. */
export async function startSandbox(settings: SandboxSettings, given: StartOptions): Promise<RunningSandbox> {
  const report = onceForEachOutage(given.report);
  const replica = given.replica && (await loadReplica(given.replica));
  const { burst, off } = settings.findings;
  const findings = new LiveFindings({ watchers: WATCHERS, settings: { burst }, off, report });
  // A replica knows it once it is connected.
  const ownershipOf = (): AccountOwnership | undefined => given.ownership ?? replica?.ownership;
  let routing: Routing | undefined;
  const gateway = await openGateway(settings, {
    ...given,
    ...(replica && { store: replica.store, wall: replica.wall, sharing: replica }),
    report,
    onOpened: (account, past) => findings.follow(account, past),
    expectNotElsewhere: (account) => expectNotElsewhere(account, ownershipOf()),
    extend: async (parts) => {
      const ownership = ownershipOf();
      routing = ownership && (await loadRouting({ ...parts, ...parts.opener, ownership }));
      return addSandboxRoutes(parts, { settings, findings, ca: given.ca, ownership, routing });
    },
  });
  const ownership = ownershipOf();
  return {
    ...gateway,
    findings,
    ownership,
    leave: async () => {
      if (replica === undefined) return;
      // The next owners do not learn when clients of this one have their acknowledgments.
      gateway.finishNow();
      await replica.leave();
    },
    close: async () => {
      await routing?.answered();
      const left = await gateway.close();
      await routing?.close();
      return left;
    },
    swapScenario: (swap) => swapEverywhere(swap, { ...gateway, ownership, report, token: settings.admin.token }),
  };
}

interface SandboxParts {
  readonly settings: SandboxSettings;
  readonly findings: LiveFindings;
  readonly ownership: AccountOwnership | undefined;
  readonly routing: Routing | undefined;
  readonly ca: string | undefined;
}

/** Routes everything that a sandbox serves besides the gateway's endpoints. What most sandboxes need late or never is loaded on first use. */
function addSandboxRoutes(
  parts: OpenParts,
  { settings, findings, ownership, routing, ca }: SandboxParts,
): Hono<GatewayEnv> {
  const { world, opener, store, report } = parts;
  const { token: adminToken, hosts: adminHosts } = settings.admin;
  const guarded = { adminToken, adminHosts, report, ownership };
  const openAccount = opener.openWritten;
  const control = { ...parts, ...guarded, openAccount, forward: routing?.forwardCalls };
  const routes = sandboxRoutes({
    control: answerOnceLoaded(() => loadControl(world, control, findings, settings)),
    page: answerOnceLoaded(() => loadDashboard(guarded)),
    metrics: followMetrics(world, guarded),
    outage: () => store.outage?.(),
    ownership,
    ca,
  });
  for (const handler of routing?.handlers ?? []) routes.use(handler);
  return routes;
}

interface SwapOptions extends OpenGateway {
  readonly ownership: AccountOwnership | undefined;
  readonly report: (fault: unknown) => void;
  /** The token of the control API. */
  readonly token: string | undefined;
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
  { fetch, report, token }: SwapOptions,
): Promise<void> {
  const url = `http://localhost/__admin/accounts/${encodeURIComponent(account)}/scenarios/${encodeURIComponent(was)}`;
  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const { status } = await fetch(new Request(url, { method: "PUT", headers, body: JSON.stringify(scenario) }));
  if (status >= 500) report(new Error(`${account} keeps the scenario ${was} as it was: its owner answered ${status}`));
}

/** An account may have moved to another replica while a request was being read. */
async function expectNotElsewhere(account: string, ownership: AccountOwnership | undefined): Promise<undefined> {
  if ((await ownership?.ownerOf(account))?.kind === "replica") throw new NotTheOwner(account);
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

/** Loaded only if replicas share a sandbox, like the routing between them. */
async function loadReplica(options: ReplicaOptions): Promise<RunningReplica> {
  const { prepareReplica } = await import("./storage/replicas/replica.ts");
  return prepareReplica(options);
}

async function loadRouting(options: RoutingOptions): Promise<Routing> {
  const { openRouting } = await import("./storage/replicas/routing.ts");
  return openRouting(options);
}

type GivenControlOptions = Omit<ControlOptions, "alongside" | "calls" | "reasonNeverSent" | "shipped">;

async function loadControl(
  world: World,
  given: GivenControlOptions,
  findings: LiveFindings,
  { callback_allow: callbackAllow }: SandboxSettings,
): Promise<Hono<ControlEnv>> {
  const { createControlApi } = await import("./control/control-api.ts");
  const { streamVerdicts, verdictCalls } = await import("./verdict/endpoints/routes.ts");
  return createControlApi(world, {
    ...given,
    calls: verdictCalls(findings),
    alongside: streamVerdicts(findings),
    reasonNeverSent: (target) => reasonNeverSent(target, parseHostList(callbackAllow)),
    shipped: await openShippedScenarios(),
  });
}

async function loadDashboard(guarded: Pick<ControlOptions, "adminHosts" | "report">): Promise<Hono> {
  const { createDashboard } = await import("./control/dashboard.ts");
  return createDashboard({ files: pageFilesOnDisk(), ...guarded });
}

function answerOnceLoaded<Env extends object>(
  load: () => Promise<{ fetch(request: Request, bindings?: Env): Response | Promise<Response> }>,
): (request: Request, bindings?: Env) => Promise<Response> {
  let loading: ReturnType<typeof load> | undefined;
  return async (request, bindings) => (await (loading ??= load())).fetch(request, bindings);
}
