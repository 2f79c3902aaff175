/**
 * The workflow commands that GitHub's runner would carry out of what steps printed, as it reads them (github.com/actions/runner,
 * ActionCommand.cs and ActionCommandManager.cs): `::error::text` at the beginning of a line, `##[error]text` anywhere in it, and nothing
 * between `::stop-commands::TOKEN` and `::TOKEN::`.
 */
export function workflowCommands(printed: string): string[] {
  const commands: string[] = [];
  let token: string | undefined;
  for (const line of printed.split(/\r\n|\r|\n/)) {
    const [, name, text = ""] = COMMAND.exec(line) ?? OLD_COMMAND.exec(line) ?? [];
    if (name === undefined) continue;
    if (token !== undefined) {
      if (name === token) token = undefined;
    } else if (name === "stop-commands") token = text;
    else commands.push(`${name} ${text}`.trim());
  }
  if (token !== undefined) throw new Error(`Nothing printed ::${token}::, so the runner ignores the rest.`);
  return commands;
}

const COMMAND = /^\s*::([^\s:]+)(?: .*?)?::(.*)$/;
const OLD_COMMAND = /##\[([^\s\]]+)[^\]]*\](.*)$/;
