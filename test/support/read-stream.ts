/** Reads a response's body as text, chunk by chunk. */
export function readerOf({ body }: Response): ReadableStreamDefaultReader<string> {
  if (body === null) throw new Error("there is no stream");
  return body.pipeThrough(new TextDecoderStream()).getReader();
}

/** What comes up to a text, or up to the end where none is expected. */
export async function readUntil(reader: ReadableStreamDefaultReader<string>, expected?: string): Promise<string> {
  let text = "";
  for (;;) {
    const { done, value = "" } = await reader.read();
    text += value;
    if (done && expected !== undefined) throw new Error(`the stream ended with ${text}`);
    if (done || (expected !== undefined && text.includes(expected))) return text;
  }
}
