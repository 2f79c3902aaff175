import { hash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { micros } from "./units.js";

const ROUNDS = 7;
const TIMES = 50_000;
const BYTE = Buffer.alloc(1);
const TEXT = "x".repeat(1_024);

/**
 * Measures what a system call costs on this machine. Where it is expensive, servers that write the lines of one turn together look better, so
 * ratios of two machines cannot be compared.
 */
export function measureSystemCall() {
  const file = openSync("/dev/null", "w");
  const call = leastMicros(() => writeSync(file, BYTE));
  const computed = leastMicros(() => hash("sha256", TEXT));
  closeSync(file);
  return [
    {
      what: "this machine: a system call (writing a byte to /dev/null), to a SHA-256 of 1 KB",
      kredo: micros(call),
      other: micros(computed),
      ratio: call / computed,
    },
  ];
}

/** Processor time of this process, user and system. */
function leastMicros(work) {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const began = process.cpuUsage();
    for (let done = 0; done < TIMES; done += 1) work();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / TIMES;
  });
  return Math.min(...rounds);
}
