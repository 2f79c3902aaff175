/** Returns whether a word names a file, and not one that is shipped. */
export function isPath(word: string): boolean {
  return /[/\\]|\.(ya?ml|json)$/.test(word);
}
