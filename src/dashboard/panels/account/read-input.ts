import { type Carrier, CARRIERS } from "../../../domain/carrier.ts";

/** What the form for a sender ID holds. */
export interface WrittenSubmission {
  readonly senderId: string;
  readonly carriers: readonly Carrier[];
  /** File names; empty where the sandbox asks for none. */
  readonly letter: string;
  readonly certificate: string;
}

export const NOTHING_WRITTEN: WrittenSubmission = { senderId: "", carriers: CARRIERS, letter: "", certificate: "" };

/** What the control API takes for a submission. One document alone is sent as well: the API says which is missing. */
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
