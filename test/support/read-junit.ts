import { readFileSync } from "node:fs";
import { validateXML } from "xmllint-wasm";

const schema = readFileSync(new URL("junit.xsd", import.meta.url), "utf8");

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** All text directly in it. */
  readonly text: string;
}

/** Reads a JUnit file with libxml2; throws unless it is well-formed and follows the schema. */
export async function readJunit(text: string): Promise<XmlElement> {
  const { errors, normalized } = await validateXML({
    xml: { fileName: "report.xml", contents: text },
    schema,
    normalization: "c14n",
  });
  if (errors.length > 0) throw new Error(errors.map(({ rawMessage }) => rawMessage).join("\n"));
  return readCanonical(normalized);
}

/** All elements of a name, in the order of the document. */
export function findAll(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)]);
}

/** Canonical XML has a start and an end tag for each element, double quotes, and no CDATA (w3.org/TR/xml-c14n). */
function readCanonical(xml: string): XmlElement {
  const root = { name: "", attributes: {}, children: new Array<XmlElement>(), text: "" };
  const open = [root];
  for (const [, name, attributes = "", isEnd, text = ""] of xml.matchAll(
    /<([\w-]+)((?: [\w:-]+="[^"]*")*)>|(<\/)[\w-]+>|([^<]+)/g,
  )) {
    const parent = open.at(-1) ?? root;
    if (isEnd !== undefined) open.pop();
    else if (name === undefined) parent.text += unescape(text);
    else {
      const element = { name, attributes: readAttributes(attributes), children: new Array<XmlElement>(), text: "" };
      parent.children.push(element);
      open.push(element);
    }
  }
  const [document] = root.children;
  if (document === undefined) throw new Error("there is no element");
  return document;
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, unescape(value)]),
  );
}

function unescape(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
  return text.replace(/&(?:#x([0-9A-F]+)|(\w+));/g, (_, hex?: string, name = "") =>
    hex === undefined ? (named[name] ?? "") : String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}
