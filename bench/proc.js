import { readdirSync, readFileSync } from "node:fs";

/**
 * Returns the milliseconds of processor time of a process: user and system time of all threads (Linux,
 * Documentation/scheduler/sched-stats).
 */
export function cpuMillis(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((millis, thread) => millis + nanosOf(`/proc/${pid}/task/${thread}/schedstat`) / 1e6, 0);
}

/** Returns the resident memory of a process in bytes. */
export function memoryBytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(kilobytes) * 1024;
}

function nanosOf(path) {
  return Number(readFileSync(path, "utf8").split(" ", 1)[0]);
}
