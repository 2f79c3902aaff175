/** A deeply read-only value; brands are preserved. */
export type Immutable<Value> = unknown extends Value
  ? Value
  : Value extends string | number | boolean | null | undefined
    ? Value
    : { readonly [Key in keyof Value]: Immutable<Value[Key]> };
