/** A file's text, which the build puts into the code (vite.dev, "Importing Asset as String"). */
declare module "*?raw" {
  const text: string;
  export default text;
}
