/** The least processor time of some calls: one that no other thread of the process disturbed. */
export async function leastMillis(calls: number, call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < calls; count += 1) {
    const begun = process.cpuUsage();
    await call();
    const { user, system } = process.cpuUsage(begun);
    times.push((user + system) / 1e3);
  }
  return Math.min(...times);
}
