export function micros(value) {
  return `${value.toFixed(1)} µs`;
}

export function megabytes(bytes) {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}

export function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}
