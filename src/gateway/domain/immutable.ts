/** A deeply read-only value; brands are preserved. */
export type Immutable<Value> = unknown extends Value
  ? Value
  : Value extends string | number | boolean | null | undefined
    ? Value
    : { readonly [Key in keyof Value]: Immutable<Value[Key]> };
/**
 * A mutable type for building an object whose optional fields are assigned one by one. Objects built this way share a hidden class. An
 * object literal that begins with a spread gets its own from V8 each time, and later reads of its fields are slow.
 */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
