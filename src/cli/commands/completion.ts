import { exchange } from "../../verdict/http-exchange.ts";
import { listShipped } from "../../gateway/adapters/files/shipped-files.ts";
import { readJson } from "../../control/client/control-client.ts";
import { SECOND } from "../../gateway/domain/time.ts";
import { FAULTS } from "../../verdict/faults.ts";
import type { Command, CommandEntry, CommandGroup, Flag } from "../command.ts";
import { listAt, textAt } from "../json-view.ts";
import { readTarget } from "../target.ts";
import { printLines, type Terminal } from "../terminal.ts";

/** Creates the command that prints completion scripts, and the command that they call. */
export function completion(entries: readonly CommandEntry[]): CommandGroup {
  const scripts = Object.entries(SCRIPTS).map(([shell, { script, example }]): Command => ({
    name: shell,
    about: `Print the completion script for ${shell}.`,
    flags: [],
    examples: [example],
    async run(_, { stdout }) {
      printLines(stdout, [script]);
      return 0;
    },
  }));
  const words: Command = {
    name: "words",
    about: "Print the words that may come next, each with its meaning after a tab. The scripts call it.",
    usage: "-- WORD...",
    arguments: ["[WORD...]"],
    flags: [],
    examples: ["kredo completion words -- scenario sta"],
    async run({ words: [...typed] }, terminal) {
      const current = typed.pop() ?? "";
      const candidates = await findCandidates(typed, entries, terminal);
      const fitting = candidates.filter(({ word }) => word.startsWith(current));
      const lines = fitting.map(({ word, about }) => (about === undefined ? word : `${word}\t${about}`));
      printLines(terminal.stdout, lines);
      return 0;
    },
  };
  return {
    name: "completion",
    about: "Print a script that completes Kredo's commands, options and values in your shell.",
    commands: [...scripts, words],
  };
}

/** A possible next word, with its meaning. */
interface Candidate {
  readonly word: string;
  readonly about?: string;
}

/** Returns what may follow the words before the cursor: a command, a value, an option. */
async function findCandidates(
  words: readonly string[],
  entries: readonly CommandEntry[],
  terminal: Terminal,
): Promise<readonly Candidate[]> {
  const entry = entries.find(({ name }) => name === words[0]);
  if (entry === undefined) return entries.map(({ name, summary }) => ({ word: name, about: summary }));
  const described = await entry.load();
  if (!("commands" in described)) return findNext(entry.name, described, words, terminal);
  const command = described.commands.find(({ name }) => name === words[1]);
  if (command === undefined) return described.commands.map(({ name, about }) => ({ word: name, about }));
  return findNext(`${entry.name} ${command.name}`, command, words, terminal);
}

async function findNext(
  path: string,
  { flags }: Command,
  words: readonly string[],
  terminal: Terminal,
): Promise<readonly Candidate[]> {
  const flag = flags.find(({ name, value }) => value !== undefined && words.at(-1) === `--${name}`);
  const find = VALUES[flag === undefined ? path : `--${flag.name}`] ?? (async () => []);
  const found = await find(words, terminal).catch(() => []);
  const values = [...(flag === undefined ? [] : choicesOf(flag)), ...found].map((word) => ({ word }));
  if (flag !== undefined) return values;
  return [...values, ...flags.map(({ name, about }) => ({ word: `--${name}`, about })), { word: "--help" }];
}

/** In "real|manual|xN", values have small letters, and kinds of values have capitals. */
function choicesOf({ choices, value = "" }: Flag): readonly string[] {
  return choices ?? value.split("|").filter((word) => /^[a-z]+$/.test(word));
}

type FindValues = (words: readonly string[], terminal: Terminal) => Promise<readonly string[]>;

const scenarios: FindValues = async () => listShipped("scenarios");
const faults: FindValues = async () => FAULTS.map(({ id }) => id);

/** The values of options, and of the arguments of commands. */
const VALUES: Readonly<Record<string, FindValues>> = {
  "--account": (words, terminal) => ask("accounts", "consumer_key", words, terminal),
  "--fault": faults,
  "--scenario": scenarios,
  clock: async () => ["real", "manual"],
  rehearse: async () => listShipped("scenarios/rehearsals"),
  "scenario start": scenarios,
  "scenario stop": (words, terminal) => ask("accounts/default/scenarios", "name", words, terminal),
  trigger: faults,
};

/** Asks the sandbox that the command line names for a list. */
async function ask(path: string, field: string, words: readonly string[], terminal: Terminal): Promise<string[]> {
  const flags = new Map(words.map((word, index) => [word.replace(/^--/, ""), words[index + 1] ?? ""]));
  const { url, adminToken } = await readTarget({ words: [], flags, repeated: new Map() }, terminal);
  const headers: Record<string, string> = adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` };
  const { text } = await exchange({ method: "GET", url: `${url}/__admin/${path}`, headers, limit: SECOND });
  return listAt(readJson(text), "items").flatMap((item) => textAt(item, field) ?? []);
}

/** After `npx`, they complete `npx kredo`, unless the shell completes npx already. */
const SCRIPTS: Readonly<Record<string, { readonly script: string; readonly example: string }>> = {
  bash: {
    example: "kredo completion bash >> ~/.bashrc",
    script: `# bash completion for kredo
_kredo() {
  local IFS=$'\\n' program=(kredo) line=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  if [[ \${COMP_WORDS[0]} == npx ]]; then
    [[ \${line[0]} == kredo && COMP_CWORD -gt 1 ]] || return
    program=(npx --no-install kredo) line=("\${line[@]:1}")
  fi
  COMPREPLY=($("\${program[@]}" completion words -- "\${line[@]}" 2>/dev/null | cut -f 1))
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _kredo kredo
complete -p npx &>/dev/null || complete -o default -F _kredo npx`,
  },
  zsh: {
    example: 'kredo completion zsh > "${fpath[1]}/_kredo"',
    script: `#compdef kredo
_kredo() {
  local -a program=(kredo) line=("\${(@)words[2,CURRENT]}") candidates
  if [[ $words[1] == npx ]]; then
    [[ $line[1] == kredo && CURRENT -gt 2 ]] || { _files; return }
    program=(npx --no-install kredo) line=("\${(@)line[2,-1]}")
  fi
  candidates=("\${(@f)$("\${program[@]}" completion words -- "\${line[@]}" 2>/dev/null)}")
  candidates=("\${(@)candidates//:/\\\\:}")
  candidates=("\${(@)candidates//$'\\t'/:}")
  [[ -n $candidates[1] ]] && _describe kredo candidates || _files
}
compdef _kredo kredo
(( $+_comps[npx] )) || compdef _kredo npx`,
  },
  fish: {
    example: "kredo completion fish > ~/.config/fish/completions/kredo.fish",
    script: `# fish completion for kredo
function _kredo
  set -l line (commandline -opc)
  set -l current (commandline -ct)
  set -l program kredo
  if test "$line[1]" = npx
    set program npx --no-install kredo
    set -e line[1]
  end
  $program completion words -- $line[2..-1] "$current" 2>/dev/null
end
complete -c kredo -a '(_kredo)'
complete -c npx -n 'test (count (commandline -opc)) -gt 1; and test (commandline -opc)[2] = kredo' -a '(_kredo)'`,
  },
};
