import { readdir, readFile } from "node:fs/promises";
import { PACKAGE_FOLDER } from "../../gateway/adapters/files/shipped-files.ts";
import { closestWord } from "../../gateway/document/closest-word.ts";
import { quote } from "../../gateway/document/describe-value.ts";
import { CliError, invalidInput } from "../cli-error.ts";
import { REPOSITORY, VERSION } from "../../version.ts";
import type { Command } from "../command.ts";
import { formatTable } from "../output.ts";
import { printLines } from "../terminal.ts";

const EXTENSION = ".md";
const INDEX = "README.md";

/** The pages' comments say how tests run their blocks. */
const COMMENT = /^ *<!-- .* -->\n+/gm;

/** The generated references are in the repository alone. What is here says the same. */
const REFERENCES: ReadonlyMap<string, string> = new Map([
  ["commands", "kredo COMMAND --help"],
  ["config-reference", "schema/config.schema.json"],
  ["control-api", "schema/openapi.json"],
  ["rehearsal-reference", "schema/rehearsal.schema.json"],
  ["scenario-reference", "schema/scenario.schema.json"],
]);

export const command: Command = {
  name: "docs",
  about: "Print a page of the documentation; without PAGE, list the pages.",
  arguments: ["[PAGE]"],
  flags: [],
  examples: ["kredo docs", "kredo docs quick-start"],
  async run({ words: [page] }, terminal) {
    if (PACKAGE_FOLDER === undefined) throw new CliError(1, "The package's files are missing; install Kredo again.");
    const folder = new URL("docs/", PACKAGE_FOLDER);
    const files = (await readdir(folder)).filter((file) => file.endsWith(EXTENSION) && file !== INDEX).toSorted();
    const names = files.map((file) => file.slice(0, -EXTENSION.length));
    if (page !== undefined) {
      if (!names.includes(page)) throw unknownPage(page, names);
      const text = await readFile(new URL(`${page}${EXTENSION}`, folder), "utf8");
      terminal.stdout.write(text.replaceAll(COMMENT, ""));
      return 0;
    }
    const titles = await Promise.all(files.map(async (file) => titleOf(await readFile(new URL(file, folder), "utf8"))));
    const rows = names.map((name, index) => [name, titles[index] ?? ""]);
    const elsewhere = [...REFERENCES].filter(([name]) => !names.includes(name));
    printLines(terminal.stdout, [
      ...formatTable(["PAGE", "TITLE"], rows, terminal),
      ...(elsewhere.length === 0 ? [] : ["", `Not in the package, but at ${FOLDER_URL}:`]),
      ...elsewhere.map(([name, instead]) => `  ${name} (here: ${instead})`),
    ]);
    return 0;
  },
};

const FOLDER_URL = `https://github.com/${REPOSITORY}/tree/v${VERSION}/docs`;

function unknownPage(page: string, names: readonly string[]): CliError {
  const instead = REFERENCES.get(page);
  if (instead !== undefined)
    return invalidInput("PAGE", {
      problem: `${quote(page)} is not in the package`,
      repair: `it is at ${FOLDER_URL}; ${instead} says the same`,
    });
  const meant = closestWord(page, names);
  const repair = meant === undefined ? "kredo docs lists the pages" : `did you mean ${meant}?`;
  return invalidInput("PAGE", { problem: `${quote(page)} is not a page`, repair });
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? "";
}
