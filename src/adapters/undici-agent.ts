import undici from "undici";

/** Loaded when it is first used. Apart from whoever loads it, because the bridge to a CommonJS package is two more files to start with. */
export const { Agent } = undici;
