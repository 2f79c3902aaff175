/** Where somebody stopped reading a list that grows at its end. */
export class Cursor<Item> {
  #read = 0;
  #last: Item | undefined;

  /** What was added since the last time; all of it, where the list began anew or was cut at its beginning. */
  read(items: readonly Item[]): { readonly goesOn: boolean; readonly added: readonly Item[] } {
    const goesOn = this.#read > 0 && items[this.#read - 1] === this.#last;
    const added = items.slice(goesOn ? this.#read : 0);
    this.#read = items.length;
    this.#last = items.at(-1);
    return { goesOn, added };
  }
}
