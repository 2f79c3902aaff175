/** Writes an XML element with its attributes and content: text, or elements that are already written. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: XmlContent = [],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`);
  const inside =
    "text" in content ? escape(content.text, /[&<>\r\u007f-\u009f]/g) : content.map((child) => `\n${child}`).join("");
  if (inside === "") return `<${name}${written.join("")}/>`;
  return `<${name}${written.join("")}>${inside}${"text" in content ? "" : "\n"}</${name}>`;
}

export type XmlContent = { readonly text: string } | readonly string[];

/** Replaces characters that XML 1.0 cannot represent (section 2.2, Char) by control pictures or the replacement character. */
export function representable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const pictured = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (control) =>
    String.fromCharCode(0x2400 + control.charCodeAt(0)),
  );
  return pictured.replace(/\p{Cs}|[\ufffe\uffff]/gu, "\ufffd");
}

/** Parsers turn line breaks and tabs in attributes into spaces unless they are character references (section 3.3.3). */
function escapeAttribute(text: string): string {
  return escape(text, /[&<>"\t\n\r\u007f-\u009f]/g);
}

function escape(text: string, unsafe: RegExp): string {
  return representable(text).replace(unsafe, (character) => NAMED[character] ?? `&#${character.charCodeAt(0)};`);
}

const NAMED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
