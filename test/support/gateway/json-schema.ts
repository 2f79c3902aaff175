/** Where in a JSON Schema a key says nothing of itself. */
export function keysWithoutDescription(node: unknown, path: string): string[] {
  if (typeof node !== "object" || node === null) return [];
  const properties: unknown = "properties" in node ? node.properties : {};
  const silent = Object.entries(properties ?? {}).filter(([, value]) => !Object(value).description);
  const deeper = Object.entries(node).flatMap(([key, value]) => keysWithoutDescription(value, `${path}/${key}`));
  return [...silent.map(([key]) => `${path}/${key}`), ...deeper];
}
