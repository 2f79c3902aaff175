import type { Delivery } from "./delivery.ts";

/** The deliveries under way, by the signal that ends them. */
export interface UnderWay {
  add(delivery: Delivery, signal: AbortSignal): void;
  remove(delivery: Delivery, signal: AbortSignal): void;
  abandonAll(): void;
}

/** Listens once to each signal, however many deliveries share it: a signal's listeners are a list, walked at each change. */
export function createUnderWay(): UnderWay {
  const groups = new Map<AbortSignal, Group>();

  return {
    add(delivery, signal) {
      const group = groups.get(signal) ?? openGroup(signal);
      groups.set(signal, group);
      group.deliveries.add(delivery);
    },
    remove(delivery, signal) {
      const group = groups.get(signal);
      if (!group?.deliveries.delete(delivery) || group.deliveries.size > 0) return;
      signal.removeEventListener("abort", group.abandon);
      groups.delete(signal);
    },
    abandonAll() {
      for (const group of groups.values()) group.abandon();
    },
  };
}

interface Group {
  readonly deliveries: Set<Delivery>;
  readonly abandon: () => void;
}

function openGroup(signal: AbortSignal): Group {
  const deliveries = new Set<Delivery>();
  const abandon = (): void => {
    for (const delivery of deliveries) delivery.abandon();
  };
  signal.addEventListener("abort", abandon);
  return { deliveries, abandon };
}
