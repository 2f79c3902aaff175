/**
 * Tells the bundler which of faker's statements only make a value: its word lists (`a.b.c`.split(".")) and the instances it exports.
 * It would keep them for what such calls may do besides, and a start would read two thousand emojis.
 */
export function knowPureTables() {
  return {
    name: "pure-tables",
    transform: {
      filter: { id: /@faker-js[\\/]faker[\\/]/ },
      handler: (code) => ({
        code: code.replace(/(?<=[=:,])(?=`[^`]*`\.split\(|Object\.fromEntries\(|new [\w$]+[;,(])/g, "/* @__PURE__ */ "),
        map: null,
      }),
    },
  };
}
