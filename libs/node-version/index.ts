/**
 * Ends the program with a sentence if this Node.js is too old for it. It imports nothing, and a program
 * calls it before it imports anything else: a library that misses a part of Node.js fails with a stack.
 * The range is that of `engines` in package.json, where undici (22.19) and TypeORM (24.11) begin.
 */
export function requireNodeVersion(): void {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isNewEnough = (major === 22 && minor >= 19) || (major === 24 && minor >= 11) || major > 24;
  if (isNewEnough) return;
  process.stderr.write(
    `Galley needs Node.js 22.19 or a later 22, or 24.11 or later; this is Node.js ${node}. ` +
      'Install one of these, or start Galley with npm, such as "npm run start:api": ' +
      'npm uses the Node.js that "npm ci" has installed.\n',
  );
  process.exit(1);
}
