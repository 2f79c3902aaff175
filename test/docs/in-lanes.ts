/** Works on all of them, so many at a time; the answers are in the order of the items. */
export async function inLanes<Item, Outcome>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of queue) outcomes[index] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return outcomes;
}
