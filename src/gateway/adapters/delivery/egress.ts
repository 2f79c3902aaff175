import { BlockList, isIP, isIPv4 } from "node:net";
import { domainToASCII } from "node:url";
import { SINK_URL } from "../../domain/callback-outcome.ts";
import type { CallbackUrl } from "../../settings/callbacks.ts";

/** Public hosts that callbacks may be sent to: `hooks.example.com`, `*.example.com`, `203.0.113.9`. */
export type HostList = (host: string) => boolean;

/** A connection about to be made: the URL's host, and an address it resolved to (the host itself if it is an address). */
export interface OutboundConnection {
  readonly host: string;
  readonly address: string;
  readonly trusted: boolean;
}

export type EgressVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** Decides whether a callback may connect to this address. */
export function judgeEgress({ host, address, trusted }: OutboundConnection, listed: HostList): EgressVerdict {
  const shown = host === address ? address : `${host} (${address})`;
  switch (classifyAddress(address)) {
    case "near":
      return { allowed: true };
    case "metadata":
      return {
        allowed: false,
        reason: `${shown} is an address of clouds' metadata services, which are never called; register the receiver's own address`,
      };
    case "many":
      return {
        allowed: false,
        reason: `${shown} is a multicast or broadcast address; register the receiver's own address`,
      };
    case "public":
      if (trusted || listed(host)) return { allowed: true };
      return {
        allowed: false,
        reason: `${shown} is a public address; list ${host} under callback_allow, or register the URL in the config file`,
      };
  }
}

/**
 * Returns why callbacks to a URL would never be sent, as far as the host name alone tells, so that this is noticed when the URL is
 * registered. Returns undefined if they may be sent, or if the name may belong to a private network.
 */
export function reasonNeverSent({ url, trusted }: CallbackUrl, listed: HostList): string | undefined {
  if (url === SINK_URL) return undefined;
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const verdict = isIP(host) === 0 ? judgeName(host) : judgeEgress({ host, address: host, trusted }, listed);
  if (!verdict.allowed) return verdict.reason;
  if (isIP(host) !== 0 || trusted || listed(host) || PRIVATE_NAME.test(canonicalHost(host))) return undefined;
  return `${host} is a public host; list it under callback_allow, or register the URL in the config file`;
}

/** A single-label name, or a domain that is not on the public Internet: RFC 6761, 6762 and 8375, ICANN's "internal", common usage. */
const PRIVATE_NAME = /^[^.]+$|\.(localhost|test|invalid|local|home\.arpa|internal|intranet|lan|home|corp|svc)$/;

/** Refuses hosts known by name, before any lookup. */
export function judgeName(host: string): EgressVerdict {
  if (!METADATA_NAMES.has(canonicalHost(host))) return { allowed: true };
  return {
    allowed: false,
    reason: `${host} is a cloud's metadata service, which is never called; register the receiver's own address`,
  };
}

/** Parses `callback_allow`: exact hosts, and `*.` for every name below one. */
export function parseHostList(entries: readonly string[]): HostList {
  const patterns = entries.map((entry) => canonicalHost(entry.trim()));
  const exact = new Set(patterns.filter((pattern) => !pattern.startsWith("*.")));
  const suffixes = patterns.filter((pattern) => pattern.startsWith("*.")).map((pattern) => pattern.slice(1));
  return (host) => {
    const name = canonicalHost(host);
    return exact.has(name) || suffixes.some((suffix) => name.endsWith(suffix) && name.length > suffix.length);
  };
}

/** Normalizes a host: no brackets, no trailing dot, lower case, IDNA's ASCII form. */
function canonicalHost(host: string): string {
  const bare = host.replace(/^\[|\]$|\.$/g, "").toLowerCase();
  const wildcard = bare.startsWith("*.") ? "*." : "";
  return wildcard + (domainToASCII(bare.slice(wildcard.length)) || bare.slice(wildcard.length));
}

function classifyAddress(scoped: string): "near" | "public" | "metadata" | "many" {
  const address = scoped.replace(/%.*$/, "");
  // BlockList also checks an IPv4-mapped IPv6 address (::ffff:0:0/96) against the IPv4 rules.
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  if (METADATA().check(address, family)) return "metadata";
  if (MANY().check(address, family)) return "many";
  return NEAR().check(address, family) ? "near" : "public";
}

/** Compute Engine's name for its metadata server (Google, "About VM metadata"). */
const METADATA_NAMES: ReadonlySet<string> = new Set(["metadata.google.internal"]);

/**
 * cloud-init keeps the list of clouds: cloudinit/sources/DataSource*.py of canonical/cloud-init, read at 26.2. Others are cited with their
 * address. Each IPv4 network is also listed behind NAT64's well-known prefix (RFC 6052), where it would reach the same services.
 */
const METADATA = whenAsked(() =>
  listSubnets([
    // Link-local (RFC 3927): most clouds serve here, Amazon ECS and EKS at other addresses of it than 169.254.169.254, Scaleway at 169.254.42.42.
    ["169.254.0.0", 16],
    ["64:ff9b::169.254.0.0", 112],
    // DataSourceHetzner, DataSourceOpenStack, on any interface.
    ["fe80::a9fe:a9fe", 128],
    // DataSourceAkamai.
    ["fd00:a9fe:a9fe::1", 128],
    // DataSourceOracle.
    ["fd00:c1::a9fe:a9fe", 128],
    // DataSourceScaleway.
    ["fd00:42::42", 128],
    // DataSourceEc2; Amazon EKS user guide, "EKS Pod Identity".
    ["fd00:ec2::254", 128],
    ["fd00:ec2::23", 128],
    // Compute Engine's metadata server for instances without IPv4.
    ["fd20:ce::254", 128],
    // DataSourceAliYun; the second in cloud-init's tests of DHCPv6.
    ["100.100.100.200", 32],
    ["64:ff9b::100.100.100.200", 128],
    ["fd00:100::100:200", 128],
    // Oracle Cloud Infrastructure Classic, "Retrieving Instance Metadata".
    ["192.0.0.192", 32],
    ["64:ff9b::192.0.0.192", 128],
    // Azure's platform channel (WireServer), "What is IP address 168.63.129.16?".
    ["168.63.129.16", 32],
    ["64:ff9b::168.63.129.16", 128],
  ]),
);

/** This machine and networks outside the public Internet. The unspecified address connects to this machine. */
const NEAR = whenAsked(() =>
  listSubnets([
    ["127.0.0.0", 8], // RFC 1122 section 3.2.1.3
    ["::1", 128],
    ["0.0.0.0", 32],
    ["::", 128],
    ["10.0.0.0", 8], // RFC 1918
    ["172.16.0.0", 12],
    ["192.168.0.0", 16],
    ["100.64.0.0", 10], // RFC 6598: shared by carriers, and by overlay networks such as Tailscale
    ["fe80::", 10], // RFC 4291 section 2.5.6
    ["fc00::", 7], // RFC 4193
  ]),
);

const MANY = whenAsked(() =>
  listSubnets([
    ["224.0.0.0", 4], // RFC 5771
    ["255.255.255.255", 32], // RFC 919
    ["ff00::", 8], // RFC 4291 section 2.7
  ]),
);

/** Creating the lists takes longer than starting a bare server, so they are created on the first callback. */
function whenAsked(list: () => BlockList): () => BlockList {
  let listed: BlockList | undefined;
  return () => (listed ??= list());
}

function listSubnets(subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, isIPv4(network) ? "ipv4" : "ipv6");
  return list;
}

/** Thrown instead of opening a forbidden connection. */
export class EgressRefused extends Error {
  override readonly name = "EgressRefused";
}
