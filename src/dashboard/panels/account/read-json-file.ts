/** What a file holds, or in a sentence why it cannot be read. */
export async function readJsonFile(file: Pick<File, "name" | "text">): Promise<unknown> {
  const text = await file.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file.name} is not JSON (${reason}); choose what Export gave, unchanged`, { cause: error });
  }
}
