import { type Carrier, CARRIERS } from "../../../gateway/domain/carrier.ts";

/** The content of the sender ID form. */
export interface WrittenSubmission {
  readonly senderId: string;
  readonly carriers: readonly Carrier[];
  /** File names; empty if the sandbox requires no documents. */
  readonly letter: string;
  readonly certificate: string;
}

export const NOTHING_WRITTEN: WrittenSubmission = { senderId: "", carriers: CARRIERS, letter: "", certificate: "" };

/** The body of a submission. A single document is sent too, because the API names the missing one. */
interface Submission {
  readonly sender_id: string;
  readonly carriers: readonly Carrier[];
  readonly documents?: { readonly authorization_letter?: string; readonly registration_pdf?: string };
}

export function readSubmission({ senderId, carriers, letter, certificate }: WrittenSubmission): Submission {
  const documents = {
    ...(letter.trim() !== "" && { authorization_letter: letter.trim() }),
    ...(certificate.trim() !== "" && { registration_pdf: certificate.trim() }),
  };
  return { sender_id: senderId, carriers, ...(Object.keys(documents).length > 0 && { documents }) };
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
