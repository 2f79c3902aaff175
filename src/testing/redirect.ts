import "../node-version.js";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { getGlobalDispatcher, setGlobalDispatcher } from "undici";

/**
 * Preload for applications whose gateway host is hard-coded: `node --import kredo/redirect app.js`. What fetch, undici, node:http and
 * node:https send to the hosts in KREDO_REDIRECT_HOSTS goes to the sandbox at KREDO_URL over plain HTTP, so no certificate is needed.
 */
const { KREDO_REDIRECT_HOSTS: written = "", KREDO_URL: url = "http://127.0.0.1:8254" } = process.env;
const names = written.split(/[\s,]+/).filter(Boolean);
const hosts = new Set(names.map((name) => hostIn(name) ?? failOn(name)));
if (hosts.size === 0)
  fail("KREDO_REDIRECT_HOSTS is missing; write the gateway's host as the application has it, like api.gateway.example");
if (!URL.canParse(url) || !url.startsWith("http://")) fail(`KREDO_URL is ${url}; write the sandbox's http:// address`);
const sandbox = new URL(url);

redirectAgents(http.Agent.prototype);
redirectAgents(https.Agent.prototype);
setGlobalDispatcher(
  getGlobalDispatcher().compose((dispatch) => (options, handler) => {
    const { host } = new URL(options.origin ?? sandbox);
    return dispatch(isGateway(host) ? { ...options, origin: sandbox.origin } : options, handler);
  }),
);

/** Agents of the application's own inherit from these. */
function redirectAgents(agents: http.Agent): void {
  // oxlint-disable-next-line typescript/unbound-method -- it is called on the agent whose it is
  const connect = agents.createConnection;
  agents.createConnection = function (this: http.Agent, options, callback) {
    if (!isGateway(options.host ?? "")) return connect.call(this, options, callback);
    const { timeout } = options;
    const host = sandbox.hostname.replace(/^\[|\]$/g, "");
    return net.connect({ host, port: Number(sandbox.port || 80), ...(timeout !== undefined && { timeout }) });
  };
}

function isGateway(name: string): boolean {
  return hosts.has(hostIn(name) ?? "");
}

/** Returns the host as URLs have it, without a port and the dot of a fully qualified name; undefined if the name is not that of a host. */
function hostIn(name: string): string | undefined {
  const text = `http://${net.isIPv6(name) ? `[${name}]` : name}`;
  if (/[/?#@\\]/.test(name) || !URL.canParse(text)) return undefined;
  const host = new URL(text).hostname.replace(/\.$/, "");
  return net.isIPv6(host.slice(1, -1)) || /^[\w-]+(\.[\w-]+)*$/.test(host) ? host : undefined;
}

function failOn(name: string): never {
  fail(
    `KREDO_REDIRECT_HOSTS has ${JSON.stringify(name)}, which is not a host; write its name alone, like api.gateway.example`,
  );
}

function fail(problem: string): never {
  throw new Error(`kredo/redirect: ${problem}`);
}
