import { requireNodeVersion } from '#node-version';

requireNodeVersion();
const { addressesOf, dataDirectoryPath } = await import('./data-directory.js');
const { requestToken } = await import('./identity-provider.js');
const { Problem, runCommand, say } = await import('./terminal.js');

await runCommand(async () => {
  const [email] = process.argv.slice(2);
  if (email === undefined) {
    throw new Problem('Say whose token: npm run -s token -- ada@example.com');
  }
  const { identityProvider } = await addressesOf(dataDirectoryPath());
  say(await requestToken(identityProvider, email));
});
