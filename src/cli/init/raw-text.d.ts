/** A file's text, inlined by the build (vite.dev, "Importing Asset as String"). */
declare module "*?raw" {
  const text: string;
  export default text;
}
