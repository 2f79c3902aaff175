import { isMap, isScalar, isSeq, type Scalar } from "yaml";
import { formatPath, type Path, type Problem } from "../../gateway/document/problem.ts";
import { positionAt, type YamlSource } from "../../gateway/document/yaml-source.ts";
import { SERVE_SETTINGS } from "./serve-flags.ts";

/** `${NAME}` and `${NAME:-default}` anywhere in a text, or `$NAME` alone, as a shell and Compose replace them. */
const VARIABLE = /\$\{([A-Za-z_]\w*)[^}]*\}|^\$([A-Z][A-Z0-9_]*)$/;

/** Finds values of a config that were meant to be replaced by an environment variable. No setting takes such a text. */
export function findVariables(source: YamlSource, file: string): Problem[] {
  return textsIn(source.document.contents, []).flatMap(({ path, text, node }) => {
    const [written, braced, bare] = VARIABLE.exec(text) ?? [];
    if (written === undefined) return [];
    const problem = `${written} is not replaced by the variable ${braced ?? bare}`;
    const place = { file, ...positionAt(source, node.range?.[0] ?? 0), path: formatPath(path) };
    return [{ ...place, problem, repair: repairAt(place.path) }];
  });
}

function repairAt(path: string): string {
  const setting = SERVE_SETTINGS.find(({ paths }) => paths.some((one) => formatPath(one) === path));
  const [variable] = setting?.variables ?? [];
  return variable === undefined ? "write the value" : `write the value, or remove the key and set ${variable}`;
}

interface FoundText {
  readonly path: Path;
  readonly text: string;
  readonly node: Scalar;
}

function textsIn(node: unknown, path: Path): FoundText[] {
  if (isSeq(node)) return node.items.flatMap((item, index) => textsIn(item, [...path, index]));
  if (isMap(node))
    return node.items.flatMap(({ key, value }) => textsIn(value, [...path, isScalar(key) ? String(key.value) : ""]));
  return isScalar(node) && typeof node.value === "string" ? [{ path, text: node.value, node }] : [];
}
