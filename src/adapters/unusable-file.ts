/** A file that somebody named cannot be used; the message names it, says why, and what to do. */
export class UnusableFile extends Error {}
