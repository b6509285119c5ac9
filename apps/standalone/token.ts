import { addressesOf, dataDirectoryPath } from './data-directory.js';
import { requestToken } from './identity-provider.js';
import { Problem, runCommand, say } from './terminal.js';

await runCommand(async () => {
  const [email] = process.argv.slice(2);
  if (email === undefined) {
    throw new Problem('Say whose token: npm run -s token -- ada@example.com');
  }
  const { identityProvider } = await addressesOf(dataDirectoryPath());
  say(await requestToken(identityProvider, email));
});
