import type { TestProject } from "vitest/node";
import { setup as buildCommand } from "../kill/build-command.ts";
import { makeTemplate } from "./postgres.ts";

/** Builds the command, and makes the PostgreSQL of which each test has a copy. */
export async function setup(project: TestProject): Promise<() => void> {
  const [removeCommand, removeTemplate] = await Promise.all([buildCommand(project), makeTemplate()]);
  return () => {
    removeCommand();
    removeTemplate();
  };
}
