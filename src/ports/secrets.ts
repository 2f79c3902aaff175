/** Compares secrets without telling by the time it takes how much of them was right. */
export interface Secrets {
  isSame(expected: string, presented: string): boolean;
}
