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
