/** A value none of whose parts may be changed; a brand stays as it is. */
export type Immutable<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : { readonly [Key in keyof Value]: Immutable<Value[Key]> };
