import type { Behaviour, SmallOrder } from "../../verdict/small-shop.ts";

export interface Words {
  /** How it shows an order that failed, and whose money it keeps until a person gives it back. */
  readonly failed: string;
  /** How it shows an order that was sent. */
  readonly sent: string;
  /** How it shows the first one that was sent, if that differs. */
  readonly first?: string;
  /** How it shows an order that it has answered, and not sent yet. Without it, an order is sent before it is answered. */
  readonly queued?: string;
  /** Which of them its map lists under review. */
  readonly review?: string;
}

/** A shop with words of its own, which holds the customer's money of an order that failed. */
export function shopWithWords({ failed, sent, first = sent, queued, review }: Words): Behaviour {
  const told = new Set<SmallOrder>();
  const all: SmallOrder[] = [];
  const wordOf = (order: SmallOrder): string => {
    if (told.has(order)) return failed;
    if (!all.includes(order)) return queued ?? "new";
    return order === all[0] ? first : sent;
  };
  const open = [...new Set([first, sent, failed, queued ?? "new"])].filter((word) => word !== review);
  const reviewed = review === undefined ? "" : `, review: ${review}`;
  return {
    placing: (shop, { text }) => {
      if (queued === undefined) return undefined;
      const { reference, to, amount }: { reference: string; to: string; amount: number } = JSON.parse(text);
      const order: SmallOrder = { reference, phoneNumber: to, amount, status: "open" };
      shop.orders.set(reference, order);
      shop.balance -= amount;
      void shop.send(order).then(() => all.push(order));
      return { status: 202 };
    },
    answered: (_shop, order) => void all.push(order),
    receive: (shop, callback) => {
      const order = shop.byRequest.get(callback.request_id);
      if (order === undefined || callback.result_code === 200) shop.receive(callback);
      else told.add(order);
      return { status: 200 };
    },
    status: (_shop, order) => ({
      status: 200,
      json: { status: order?.status === "open" ? wordOf(order) : order?.status },
    }),
    map: {
      status: `{ request: { url: "{app}/orders/{reference}" }, json_path: $.status, paid: paid, failed: failed, open: [${open.join(", ")}]${reviewed} }`,
    },
  };
}
