import { readdir, readFile } from "node:fs/promises";
import { PACKAGE_FOLDER } from "../../gateway/adapters/files/shipped-files.ts";
import { closestWord } from "../../gateway/document/closest-word.ts";
import { quoteText } from "../../gateway/document/describe-value.ts";
import { CliError, invalidInput } from "../terminal/cli-error.ts";
import type { Command } from "../terminal/command.ts";
import { formatTable } from "../terminal/output.ts";
import { printLines } from "../terminal/terminal.ts";

const EXTENSION = ".md";
const INDEX = "README.md";

/** A page as its file is named, and as pages link to it: docs/failures.md, ./failures.md#refusals. */
const FILE = /^(?:\.\/)?(?:docs\/)?([\w-]+)\.md(?:#.*)?$/;

/** The pages' comments say how tests run their blocks, and which guess is marked. */
const COMMENT = /^ *<!-- .* -->\n+|<!--[^>]*-->/gm;

export const command: Command = {
  name: "docs",
  about: "Print a page of the documentation; without PAGE, list the pages.",
  arguments: ["[PAGE]"],
  flags: [],
  examples: ["kredo docs", "kredo docs quick-start"],
  async run({ words: [written] }, terminal) {
    if (PACKAGE_FOLDER === undefined) throw new CliError(1, "The package's files are missing; install Kredo again.");
    const folder = new URL("docs/", PACKAGE_FOLDER);
    const names = await pageNames();
    if (written !== undefined) {
      const page = written.replace(FILE, "$1");
      if (!names.includes(page)) throw unknownPage(written, names);
      const text = await readFile(new URL(`${page}${EXTENSION}`, folder), "utf8");
      terminal.stdout.write(text.replaceAll(COMMENT, ""));
      return 0;
    }
    const rows = await Promise.all(
      names.map(async (name) => [name, titleOf(await readFile(new URL(`${name}${EXTENSION}`, folder), "utf8"))]),
    );
    printLines(terminal.stdout, formatTable(["PAGE", "TITLE"], rows, terminal));
    return 0;
  },
};

/** Returns the names of the pages in alphabetical order; empty if the package's files are missing. */
export async function pageNames(): Promise<string[]> {
  const files = PACKAGE_FOLDER === undefined ? [] : await readdir(new URL("docs/", PACKAGE_FOLDER));
  return files
    .flatMap((file) => (file.endsWith(EXTENSION) && file !== INDEX ? [file.slice(0, -EXTENSION.length)] : []))
    .toSorted();
}

function unknownPage(page: string, names: readonly string[]): CliError {
  const meant = closestWord(page, names);
  const repair = meant === undefined ? "kredo docs lists the pages" : `did you mean ${meant}?`;
  return invalidInput("PAGE", { problem: `${quoteText(page)} is not a page`, repair });
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? "";
}
