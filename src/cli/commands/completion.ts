import type { Command, CommandEntry, CommandGroup } from "../command.ts";
import { printLines } from "../terminal.ts";

/** A possible next word, with its meaning. */
interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** The possible next words by the words before the cursor: commands first, then options. */
type Tree = ReadonlyMap<string, readonly Candidate[]>;

const SHELLS: Readonly<Record<string, (tree: Tree) => string>> = { bash: writeBash, zsh: writeZsh, fish: writeFish };

/** Creates the command that prints completion scripts, generated from the commands and their flags. */
export function completion(entries: readonly CommandEntry[]): CommandGroup {
  const commands = Object.entries(SHELLS).map(([shell, write]): Command => ({
    name: shell,
    about: `Print the completion script for ${shell}.`,
    flags: [],
    examples: [EXAMPLES[shell] ?? ""],
    async run(_, { stdout }) {
      printLines(stdout, [write(await readTree(entries))]);
      return 0;
    },
  }));
  return {
    name: "completion",
    about: "Print a script that completes Kredo's commands and options in your shell.",
    commands,
  };
}

const EXAMPLES: Readonly<Record<string, string>> = {
  bash: "kredo completion bash >> ~/.bashrc",
  zsh: 'kredo completion zsh > "${fpath[1]}/_kredo"',
  fish: "kredo completion fish > ~/.config/fish/completions/kredo.fish",
};

async function readTree(entries: readonly CommandEntry[]): Promise<Tree> {
  const loaded = await Promise.all(entries.map(async ({ load }) => load()));
  const root = entries.map(({ name, summary }) => ({ word: name, about: summary }));
  return new Map([["kredo", root], ...loaded.flatMap((command) => branchesOf(command, "kredo"))]);
}

function branchesOf(command: Command | CommandGroup, parent: string): [string, Candidate[]][] {
  const path = `${parent} ${command.name}`;
  if (!("commands" in command)) return [[path, command.flags.map(({ name, about }) => ({ word: `--${name}`, about }))]];
  const next = command.commands.map(({ name, about }) => ({ word: name, about }));
  return [[path, next], ...command.commands.flatMap((sub) => branchesOf(sub, path))];
}

/** Finds the longest known path at the start of the line, as in the other shells. */
function writeBash(tree: Tree): string {
  const cases = [...tree].map(
    ([path, candidates]) => `    ${quoted(path)}) words=${quoted(candidates.map(({ word }) => word).join(" "))} ;;`,
  );
  return `# bash completion for kredo
_kredo() {
  local line=kredo words= word index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    case "$line $word" in
      ${pathsOf(tree).join(" | ")}) line="$line $word" ;;
    esac
  done
  case "$line" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words --help" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _kredo kredo`;
}

function writeZsh(tree: Tree): string {
  const cases = [...tree].map(
    ([path, candidates]) =>
      `    ${quoted(path)}) candidates=(${candidates.map(({ word, about }) => quoted(`${word}:${about.replaceAll(":", "\\:")}`)).join(" ")}) ;;`,
  );
  return `#compdef kredo
_kredo() {
  local line=kredo index
  local -a candidates
  for ((index = 2; index < CURRENT; index++)); do
    case "$line $words[index]" in
      ${pathsOf(tree).join(" | ")}) line="$line $words[index]" ;;
    esac
  done
  case "$line" in
${cases.join("\n")}
  esac
  candidates+=('--help:show this help')
  _describe kredo candidates
  _files
}
compdef _kredo kredo`;
}

function writeFish(tree: Tree): string {
  const lines = [...tree].flatMap(([path, candidates]) =>
    candidates.map(
      ({ word, about }) =>
        `complete -c kredo -n ${quoted(`test (_kredo_path) = "${path}"`)} -a ${quoted(word)} -d ${quoted(about)}`,
    ),
  );
  return `# fish completion for kredo
function _kredo_path
  set -l line kredo
  for word in (commandline -opc)[2..-1]
    contains -- "$line $word" ${pathsOf(tree).join(" ")}; and set line "$line $word"
  end
  echo $line
end
${lines.join("\n")}`;
}

/** Returns everything that may precede the cursor, except the command alone. */
function pathsOf(tree: Tree): string[] {
  return [...tree.keys()].filter((path) => path !== "kredo").map(quoted);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
