/**
 * A shape while it is being made, to which what is there only now and then is added one by one. All that are made so share a hidden
 * class; V8 gives a literal that begins with a spread one of its own each time, and then each later reading of its fields is slow.
 */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
