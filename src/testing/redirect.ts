import "../node-version.js";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { getGlobalDispatcher, setGlobalDispatcher } from "undici";

/**
 * Preload for applications whose gateway host is hard-coded: `node --import kredo/redirect app.js`. What fetch, undici, node:http and
 * node:https send to the hosts in KREDO_REDIRECT_HOSTS goes to the sandbox at KREDO_URL over plain HTTP, so no certificate is needed.
 */
const { KREDO_REDIRECT_HOSTS: names = "", KREDO_URL: url = "http://127.0.0.1:8254" } = process.env;
const hosts = new Set(
  names
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean),
);
if (hosts.size === 0)
  fail("KREDO_REDIRECT_HOSTS is missing; write the gateway's host as the application has it, like api.gateway.example");
if (!URL.canParse(url) || !url.startsWith("http://")) fail(`KREDO_URL is ${url}; write the sandbox's http:// address`);
const sandbox = new URL(url);

redirectAgents(http.Agent.prototype);
redirectAgents(https.Agent.prototype);
setGlobalDispatcher(
  getGlobalDispatcher().compose((dispatch) => (options, handler) => {
    const isGateway = hosts.has(new URL(options.origin ?? sandbox).hostname);
    return dispatch(isGateway ? { ...options, origin: sandbox.origin } : options, handler);
  }),
);

/** Agents of the application's own inherit from these. */
function redirectAgents(agents: http.Agent): void {
  // oxlint-disable-next-line typescript/unbound-method -- it is called on the agent whose it is
  const connect = agents.createConnection;
  agents.createConnection = function (this: http.Agent, options, callback) {
    if (!hosts.has(options.host?.toLowerCase() ?? "")) return connect.call(this, options, callback);
    const { timeout } = options;
    const host = sandbox.hostname.replace(/^\[|\]$/g, "");
    return net.connect({ host, port: Number(sandbox.port || 80), ...(timeout !== undefined && { timeout }) });
  };
}

function fail(problem: string): never {
  throw new Error(`kredo/redirect: ${problem}`);
}
