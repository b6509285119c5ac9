import { requireNodeVersion } from '#node-version';
import { endOnSignals } from '#signals';

endOnSignals();
requireNodeVersion();
const { readServiceUrls, dataDirectoryPath } = await import('./data-directory.js');
const { requestToken } = await import('./identity-provider/identity-provider.js');
const { CliError, runCommand, print } = await import('./terminal.js');

await runCommand(async () => {
  const [email] = process.argv.slice(2);
  if (email === undefined) {
    throw new CliError('Specify the user of the token: npm run -s token -- ada@example.com');
  }
  const { identityProvider } = await readServiceUrls(dataDirectoryPath());
  print(await requestToken(identityProvider, email));
});
