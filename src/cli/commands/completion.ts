import { exchange } from "../../control/client/http-exchange.ts";
import { listShipped } from "../../gateway/adapters/files/shipped-files.ts";
import { parseJsonOrUndefined } from "../../control/client/control-client.ts";
import { SECOND } from "../../gateway/domain/time.ts";
import { FAULTS } from "../../verdict/faults.ts";
import { quoteText } from "../../gateway/document/describe-value.ts";
import { invalidInput } from "../terminal/cli-error.ts";
import type { Command, CommandEntry, Flag } from "../terminal/command.ts";
import { listAt, textAt } from "../terminal/json-view.ts";
import { readTarget } from "../client/target.ts";
import { printLines, type Terminal } from "../terminal/terminal.ts";

/** Creates the command that prints completion scripts, and the words that they ask for. */
export function completion(entries: readonly CommandEntry[]): Command {
  return {
    name: "completion",
    about: "Print a script that completes Kredo's commands, options and values in SHELL: bash, zsh or fish.",
    arguments: ["<SHELL>", "[WORD...]"],
    usage: "[options] <SHELL>",
    flags: [],
    examples: [
      "kredo completion bash >> ~/.bashrc",
      'kredo completion zsh > "${fpath[1]}/_kredo"',
      "kredo completion fish > ~/.config/fish/completions/kredo.fish",
    ],
    async run({ words: [shell = "", ...typed] }, terminal) {
      const script = SCRIPTS[shell];
      if (script === undefined && shell !== "words")
        throw invalidInput("SHELL", {
          problem: `${quoteText(shell)} is not known here`,
          repair: "write bash, zsh or fish",
        });
      printLines(terminal.stdout, script === undefined ? await findWords(typed, entries, terminal) : [script]);
      return 0;
    },
  };
}

/** Returns the words that may come next, with their meaning after a tab, for a script that calls `kredo completion words -- WORD...`. */
async function findWords(line: readonly string[], entries: readonly CommandEntry[], terminal: Terminal) {
  const candidates = await findCandidates(line.slice(0, -1), entries, terminal);
  return candidates.filter(([word]) => word.startsWith(line.at(-1) ?? "")).map((candidate) => candidate.join("\t"));
}

/** A possible next word, with its meaning. */
type Candidate = readonly [word: string, about?: string];

/** Returns what may follow the words before the cursor: a command, a value, an option. */
async function findCandidates(
  words: readonly string[],
  entries: readonly CommandEntry[],
  terminal: Terminal,
): Promise<readonly Candidate[]> {
  const entry = entries.find(({ name }) => name === words[0]);
  if (entry === undefined) return entries.map(({ name, summary }) => [name, summary]);
  const described = await entry.load();
  if (!("commands" in described)) return findNext(entry.name, described, words, terminal);
  const command = described.commands.find(({ name }) => name === words[1]);
  if (command === undefined) return described.commands.map(({ name, about }) => [name, about]);
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
  const values = [...(flag === undefined ? [] : choicesOf(flag)), ...found].map((word): Candidate => [word]);
  if (flag !== undefined) return values;
  return [...values, ...flags.map(({ name, about }): Candidate => [`--${name}`, about]), ["--help"]];
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
  completion: async () => Object.keys(SCRIPTS),
  docs: async () => (await import("./docs.ts")).pageNames(),
  rehearse: async () => listShipped("scenarios/rehearsals"),
  "scenario start": scenarios,
  "scenario stop": (words, terminal) => ask("accounts/{account}/scenarios", "name", words, terminal),
  trigger: faults,
};

/** Asks the sandbox that the command line names for a list. */
async function ask(path: string, field: string, words: readonly string[], terminal: Terminal): Promise<string[]> {
  const flags = new Map(words.map((word, index) => [word.replace(/^--/, ""), words[index + 1] ?? ""]));
  const { url, adminToken, account } = await readTarget({ words: [], flags, repeated: new Map() }, terminal);
  const headers: Record<string, string> = adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` };
  const asked = `${url}/__admin/${path.replace("{account}", encodeURIComponent(account))}`;
  const { text } = await exchange({ method: "GET", url: asked, headers, limit: SECOND });
  return listAt(parseJsonOrUndefined(text), "items").flatMap((item) => textAt(item, field) ?? []);
}

/** After `npx`, they complete `npx kredo`, unless the shell completes npx already. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_kredo() {
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
  zsh: `#compdef kredo npx
_kredo() {
  local -a program=(kredo) line=("\${(@)words[2,CURRENT]}") candidates
  if [[ $words[1] == npx ]]; then
    [[ $line[1] == kredo && CURRENT -gt 2 ]] || { _files; return }
    program=(npx --no-install kredo) line=("\${(@)line[2,-1]}")
  fi
  candidates=("\${(@f)$("\${program[@]}" completion words -- "\${line[@]}" 2>/dev/null)}")
  candidates=("\${(@)\${(@)candidates//:/\\\\:}//$'\\t'/:}")
  [[ -n $candidates[1] ]] && _describe kredo candidates || _files
}
# As an autoloaded file, this is the body of _kredo at its first call.
if [[ $funcstack[1] == _kredo ]]; then _kredo "$@"; else compdef _kredo kredo npx; fi`,
  fish: `function _kredo
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
};
