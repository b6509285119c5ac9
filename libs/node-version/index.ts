/**
 * Ends the program with a clear message if this Node.js is too old for Galley. This file imports nothing, and a program
 * calls the function before importing anything else, because libraries fail with a stack trace on a Node.js that is too
 * old. The range is the same as in `engines` in package.json: undici needs 22.19, and TypeORM 24.11.
 */
export function requireNodeVersion(): void {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isNewEnough = (major === 22 && minor >= 19) || (major === 24 && minor >= 11) || major > 24;
  if (isNewEnough) return;
  process.stderr.write(
    `Galley needs Node.js 22.19 or a later 22, or 24.11 or later, but this is Node.js ${node}. ` +
      'Install one of these, or start Galley with npm, for example with "npm run start:api": ' +
      'npm uses the Node.js that "npm ci" installed.\n',
  );
  process.exit(1);
}
