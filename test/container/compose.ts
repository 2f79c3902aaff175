import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** A Compose file in a folder, which is the project's name as well; disposed of, all that it started is gone. */
export interface Composition extends AsyncDisposable {
  /** Runs Compose with these words and gives what it printed. */
  run(...words: readonly string[]): Promise<string>;
}

export async function openComposition(folder: string, file: string): Promise<Composition> {
  const [command, ...first] = [...(await composeCommand()), "--file", file];
  const run = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await execute(command, [...first, ...words], { cwd: folder });
    return stdout;
  };
  return { run, [Symbol.asyncDispose]: async () => void (await run("down", "--volumes", "--timeout", "2")) };
}

/** The plug-in of docker, or the command that came before it. */
async function composeCommand(): Promise<[string, ...string[]]> {
  return execute("docker", ["compose", "version"]).then(
    () => ["docker", "compose"],
    () => ["docker-compose"],
  );
}
