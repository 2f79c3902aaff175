/** A number, however people write it, is one word: `0712 345 678`, `+254 712…`. */
export function wordsOf(written: string): readonly string[] {
  return written
    .toLowerCase()
    .replaceAll(/(?<!\S)(?:\+?254|0)(?:[\s()-]*\d){9}(?!\S)/g, international)
    .split(/\s+/)
    .filter((word) => word !== "");
}

function international(number: string): string {
  return number.replaceAll(/\D/g, "").replace(/^0/, "254");
}

/** A phone number as people type it. */
export function numberForms(phoneNumber: string): readonly string[] {
  const number = international(phoneNumber);
  return [phoneNumber, `+${number}`, number.replace(/^254/, "0")];
}
