import { SaxesParser } from "saxes";

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** All text directly in it. */
  readonly text: string;
}

/** Reads a document with a strict parser; throws at the first thing that is not well-formed. */
export function readXml(text: string): XmlElement {
  const root = begin("", {});
  const open = [root];
  const parser = new SaxesParser();
  parser.on("error", (fault) => {
    throw fault;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = begin(name, attributes);
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(text).close();
  const [document] = root.children;
  if (document === undefined) throw new Error("there is no element");
  return document;
}

/** All elements of a name, in the order of the document. */
export function findAll(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)]);
}

function begin(name: string, attributes: Readonly<Record<string, string>>) {
  return { name, attributes, children: new Array<XmlElement>(), text: "" };
}
