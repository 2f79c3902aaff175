import type { ProfileChange, ProfileSettings } from "./profiles.ts";

/** Returns the gateway as it is under a changed profile. */
export function withProfileChange<Gateway extends Pick<ProfileSettings, "refusals">>(
  gateway: Gateway,
  change: ProfileChange | undefined,
): Gateway {
  if (change === undefined) return gateway;
  return { ...gateway, ...change, refusals: { ...gateway.refusals, ...change.refusals } };
}
