import { isMainThread } from "node:worker_threads";

/** Whether `withoutPrivileges` works: root cannot become another user in a thread, in which `npm run mutate` runs the tests. */
export const CAN_DROP_PRIVILEGES = isMainThread || process.geteuid?.() !== 0;

/** Does something as a user whom the permissions of files bind; they do not bind root, as which tests run in containers. */
export function withoutPrivileges<T>(work: () => T): T {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}
