/** Compares secrets in constant time. */
export interface Secrets {
  isSame(expected: string, presented: string): boolean;
}
