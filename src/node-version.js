// Imported before everything else, because Node would call the first thing that it does not know a SyntaxError. It is JavaScript because the
// build checks the version too. What Node 18 does not export must be used through a module's default export: Node links all imports before
// it runs this.

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Kredo needs Node 20.19 or newer, and this is Node ${process.versions.node}: install a newer one (nodejs.org).`,
  );
  process.exit(2);
}
