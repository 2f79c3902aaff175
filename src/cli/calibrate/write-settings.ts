import { readFile, writeFile } from "node:fs/promises";
import { type Document, isMap, isScalar, parseDocument, type Scalar } from "yaml";
import { configSchema } from "../../config.ts";
import { parseSource } from "../../gateway/document/parse-document.ts";
import { readYaml } from "../../gateway/document/yaml-source.ts";
import { refuseToWrite } from "../terminal/cli-error.ts";
import { type ComparedGuess, describeCount } from "../../calibration/calibration.ts";

type Setting = NonNullable<ComparedGuess["setting"]>;

/** What became of the differences. */
export interface WrittenSettings {
  readonly file: string;
  readonly written: readonly ComparedGuess[];
  /** No setting takes what was observed. */
  readonly left: readonly ComparedGuess[];
}

/** Sets in a config file what was observed. Keeps its other comments and its order; a new file has these settings only. */
export async function writeSettings(file: string, differences: readonly ComparedGuess[]): Promise<WrittenSettings> {
  const before = await readFile(file, "utf8").catch(() => "");
  const written: ComparedGuess[] = [];
  let text = before;
  for (const difference of differences) {
    const changed = withSetting(text, difference, file.endsWith(".json"));
    if (changed === undefined) continue;
    written.push(difference);
    text = changed;
  }
  const ended = before.includes("\r\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text;
  if (written.length > 0)
    await writeFile(file, ended).catch((error: unknown) => refuseToWrite({ path: file, place: "--write" }, error));
  return { file, written, left: differences.filter((one) => !written.includes(one)) };
}

/** Returns the config with a setting, or undefined if the setting is none that Kredo accepts. */
function withSetting(text: string, { setting, observed: [seen] }: ComparedGuess, isJson: boolean): string | undefined {
  if (setting === undefined || seen === undefined) return undefined;
  const document = parseDocument(text);
  try {
    set(document, setting, ` observed ${describeCount(seen)}`);
  } catch {
    // An alias or a value stands where the path goes on.
    return undefined;
  }
  const changed = isJson ? `${JSON.stringify(document.toJS(), undefined, 2)}\n` : document.toString({ lineWidth: 0 });
  return "problems" in parseSource(readYaml(changed), configSchema, "config") ? undefined : changed;
}

function set(document: Document, setting: Setting, comment: string): void {
  const { path, value } = keepingOtherOperation(document, setting);
  const old = document.getIn(path, true);
  const node = document.createNode(value);
  if (isScalar(node)) node.comment = [isScalar(old) ? commentOf(old) : undefined, comment].filter(Boolean).join(";");
  else node.commentBefore = comment;
  document.setIn(path, node);
}

/** Returns the comment of an old value, without that of an earlier calibration. */
function commentOf({ comment }: Scalar): string | undefined {
  return comment?.replace(/;? observed (once|\d+ times)\b.*$/, "");
}

/** A carrier's latency may be one for both operations. The other one keeps it. */
function keepingOtherOperation(document: Document, setting: Setting): Setting {
  const { path, value } = setting;
  const [key, operation] = path.slice(-2);
  const both = key === "latency" ? document.getIn(path.slice(0, -1), true) : undefined;
  if (both === undefined || (isMap(both) && (both.has("airtime") || both.has("sms")))) return setting;
  const other = operation === "airtime" ? "sms" : "airtime";
  return { path: path.slice(0, -1), value: { [String(operation)]: value, [other]: both } };
}
