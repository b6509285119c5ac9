import { emailDocument, emailDocuments } from '../content/documents.js';
import { compare, interleave } from '../figures.js';
import { Harness } from '../harness.js';
import { requestsPerSecond, type Load } from '../load.js';
import { describeMachine } from '../machine.js';
import { createLoad } from '../rows/documents/create.js';
import { Directus, installDirectus } from './directus.js';

/**
 * Compares creating a document of 1 KB and reading one of 10 KB with Directus, which keeps revisions of its
 * documents as Galley keeps versions. It is not part of `npm run bench`, because it installs Directus.
 */
const CONNECTIONS = 16;
const DOCUMENTS = 50;
const KB = 1_000;

process.once('SIGINT', () => process.exit(130));
log('Installing Directus, unless it is installed …');
await installDirectus();
const harness = await Harness.start({ rounds: 5, seconds: 4, quick: false });
log((await describeMachine(harness)).join('\n'));
const [galley, directus] = [await harness.install(), await Directus.start(harness)];
// Directus has done everything when it responds; what a create of Galley leaves to the worker counts too.
await galley.startWorker();

const contents = emailDocuments(KB, DOCUMENTS);
await compareLoads('create 1 KB', createLoad(galley, contents), {
  url: directus.documentsUrl,
  method: 'POST',
  rotation: contents.map((content) => ({
    token: directus.token,
    body: JSON.stringify({ name: 'Welcome', content }),
  })),
});
if (!(await directus.keepsRevisions()))
  throw new Error('There is not one revision of each document.');

const content = emailDocument(10 * KB);
const { body } = await galley.client.post<{ id: string }>('/api/templates', {
  name: 'Welcome',
  workspaceId: galley.workspaceId,
  content,
});
const directusId = await directus.create({ name: 'Welcome', content });
await compareLoads(
  'read 10 KB',
  { url: `${galley.url}/api/templates/${body.id}`, method: 'GET', token: galley.token },
  { url: `${directus.documentsUrl}/${directusId}`, method: 'GET', token: directus.token },
);
await Promise.all([galley.stop(), directus.stop()]);
await harness.stop();
process.exit(0);

async function compareLoads(name: string, galleyLoad: Load, directusLoad: Load): Promise<void> {
  const { rounds, seconds } = harness.scale;
  const rate = (load: Load) => () => requestsPerSecond(load, seconds, { connections: CONNECTIONS });
  const figures = await interleave(rounds, {
    galley: rate(galleyLoad),
    directus: rate(directusLoad),
  });
  const { galley: own, against, ratio } = compare(figures.galley, figures.directus);
  log(
    `${name}: ${own.toFixed(0)} against ${against.toFixed(0)} requests/s, ` +
      `${ratio.median.toFixed(2)} (${ratio.lowest.toFixed(2)} to ${ratio.highest.toFixed(2)})`,
  );
}

function log(text: string): void {
  process.stdout.write(`${text}\n`);
}
