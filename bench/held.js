import { control } from "./control.js";

/** Every carrier is down and holds its results. A clock that passes the hour releases all of them at once. */
export const HELD = `version: 1
name: held
description: Every carrier is down until somebody brings it up.
rules:
  - name: held
    when: { operation: airtime }
    then: { result: { hold_until: 1h } }
`;

/** Moves the account's clock past the hour and lets it run. */
export async function letGo(url) {
  await control(url, { method: "PUT", path: "/clock", body: { mode: "scaled", scale: 100_000 } });
}
