import type { Random } from "../../ports/random.ts";

export interface Credentials {
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

/**
 * A consumer key and a secret for an account that was created without them: from the system's entropy, each holding the
 * 122 random bits of a UUID; or, where a label is given, the same ones for the same label, as a seeded run needs them.
 */
export function inventCredentials(random: Random, label?: string): Credentials {
  if (label === undefined) return credentialsOf(random.freshId(), random.freshId());
  return credentialsOf(random.digest(`${label} consumer key`).uuid(), random.digest(`${label} consumer secret`).uuid());
}

function credentialsOf(keyId: string, secretId: string): Credentials {
  return { consumerKey: `sandbox-${withoutDashes(keyId)}`, consumerSecret: withoutDashes(secretId) };
}

function withoutDashes(id: string): string {
  return id.replaceAll("-", "");
}
