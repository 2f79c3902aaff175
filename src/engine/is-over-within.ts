import type { Limit } from "./until.ts";

/** Whether something was over before the wall time ran out; what was not goes on by itself. */
export async function isOverWithin(work: Promise<void>, { wall, within }: Limit): Promise<boolean> {
  let isOver = true;
  await new Promise<void>((resolve, reject) => {
    const timer = wall.after(Math.max(0, within), () => {
      isOver = false;
      resolve();
    });
    work.finally(() => timer.cancel()).then(resolve, reject);
  });
  return isOver;
}
