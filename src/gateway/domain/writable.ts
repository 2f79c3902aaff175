/**
 * A mutable type for building an object whose optional fields are assigned one by one. Objects built this way share a hidden class. An
 * object literal that begins with a spread gets its own from V8 each time, and later reads of its fields are slow.
 */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
