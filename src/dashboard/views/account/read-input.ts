/** Returns the body of a submission, read from the form's fields. A single document is sent too, because the API names the missing one. */
export function readSubmission(written: FormData) {
  const documents = ["authorization_letter", "registration_pdf"].flatMap((field) => {
    const name = written.get(field);
    return typeof name === "string" && name.trim() !== "" ? [[field, name.trim()]] : [];
  });
  return {
    sender_id: written.get("sender_id"),
    carriers: written.getAll("carriers"),
    ...(documents.length > 0 && { documents: Object.fromEntries(documents) }),
  };
}

/** Returns the parsed content of a JSON file, or a sentence that says why it cannot be read. */
export async function readJsonFile(file: Pick<File, "name" | "text">): Promise<unknown> {
  const text = await file.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file.name} is not JSON (${reason}); choose what Export gave, unchanged`, { cause: error });
  }
}
