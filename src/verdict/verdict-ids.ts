/** The ids of verdicts that are not of a check. */

/** An order that is open because the gateway told something of it that is not so. */
export const MISLED_ID = "misled";

/** What a run ended without trying. */
export const NOT_TRIED_ID = "not-tried";

/** A trial that placed no order. */
export const NO_ORDER_ID = "no-order";
