/** An amount as people write it ("KES 1,000", "1 000.50") as the control API reads it; what is no amount stays what it is. */
export function plainAmount(written: string): string {
  const plain = written.trim().replace(/^(?:KES|KSh)\.?\s*/i, "");
  return /^\d{1,3}(?:[, ]\d{3})+(?:\.\d{1,2})?$/.test(plain) ? plain.replace(/[, ]/g, "") : plain;
}
