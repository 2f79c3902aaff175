/**
 * Returns the word that was probably meant: the closest one, if at most a third of its letters differ (and not its only one), or else the
 * only one that it is a part of, as "phone" is of "phone_number".
 */
export function closestWord(written: string, words: readonly string[]): string | undefined {
  const most = Math.ceil(written.length / 3);
  const near = words
    .filter((word) => Math.abs(word.length - written.length) <= most)
    .map((word) => ({ word, distance: countEdits(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ distance }) => distance <= most && distance < written.length)
    .toSorted((left, right) => left.distance - right.distance);
  const longer = words.filter((word) => word.split(/[_-]/).includes(written));
  return near[0]?.word ?? (longer.length === 1 ? longer[0] : undefined);
}

/** Counts letters added, dropped, changed, or swapped with their neighbour (optimal string alignment distance). */
function countEdits(left: string, right: string): number {
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const changed = at(above, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const swapped =
        left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
          ? at(before, column - 2) + 1
          : Infinity;
      current.push(Math.min(at(above, column) + 1, at(current, column - 1) + 1, changed, swapped));
    }
    [before, above] = [above, current];
  }
  return at(above, right.length);
}

function at(distances: readonly number[], index: number): number {
  return distances[index] ?? Infinity;
}
