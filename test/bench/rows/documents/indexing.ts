import { eventually } from '../../../support/eventually.js';
import { emailDocuments } from '../../content/documents.js';
import { spread, type Row } from '../../figures.js';
import type { Harness, Installation } from '../../harness.js';
import { sendRequests } from '../../load.js';
import { atRate, quantileOf, RATE } from '../latency.js';
import { createLoad } from './create.js';

const BYTES = 28_000;
const DOCUMENTS = 50;

/** Rows 31 and 32: how soon the search finds a change, and how fast the worker follows a burst of changes. */
export async function* indexingRows(harness: Harness): AsyncGenerator<Row> {
  const galley = await harness.install();
  const worker = await galley.startWorker();
  const contents = emailDocuments(BYTES, DOCUMENTS);
  const count = harness.scale.quick ? 1_000 : 3_000;
  const rates: number[] = [];
  const delays: number[] = [];
  for (let round = 0; round <= harness.scale.rounds; round++) {
    worker.process.kill('SIGSTOP');
    await sendRequests(createLoad(await inNewWorkspace(galley), contents), count);
    await hasNone(galley, 'due_at > clock_timestamp()');
    worker.process.kill('SIGCONT');
    const begin = performance.now();
    await searchHasFollowed(galley);
    const seconds = (performance.now() - begin) / 1_000;
    const found = await delaysOf(galley, contents, RATE * (harness.scale.quick ? 3 : 5));
    // The first round only warms up.
    if (round === 0) continue;
    rates.push(count / seconds);
    delays.push(quantileOf(found, 0.99));
  }
  await galley.stop();
  yield {
    number: '31',
    what: `commit to the commit of its words, p99, at ${RATE} changes of 28 KB a second`,
    baseline: 'none',
    unit: 'ms',
    ...plain(delays),
    target: { atMost: 1_000 },
  };
  yield {
    number: '32',
    what: `the search follows a burst of ${count.toLocaleString('en')} changes of 28 KB`,
    baseline: 'none',
    unit: 'documents/s',
    ...plain(rates),
    target: { atLeast: 1_000 },
  };
}

const plain = (figures: number[]) => {
  const ratio = spread(figures);
  return { galley: ratio.median, ratio };
};

/** Changes in a workspace of its own, which is so small that the words of a document are written once. */
async function delaysOf(galley: Installation, contents: object[], count: number) {
  const { workspaceId } = await inNewWorkspace(galley);
  let number = 0;
  await atRate(count, () =>
    galley.client.post('/api/templates', {
      name: 'Welcome',
      workspaceId,
      content: contents[number++ % contents.length],
    }),
  );
  await searchHasFollowed(galley);
  const rows = await galley.database.query<{ ms: number }>(
    `SELECT extract(epoch FROM pg_xact_commit_timestamp(stored.xmin) - pg_xact_commit_timestamp(document.xmin))::float8
       * 1000 AS ms
     FROM documents document JOIN document_words stored ON stored.document_id = document.id
     WHERE document.workspace_id = $1`,
    [workspaceId],
  );
  if (rows.length !== count) throw new Error(`The search has ${rows.length} of ${count} changes.`);
  return rows.map(({ ms }) => ms);
}

async function inNewWorkspace(galley: Installation) {
  const { body } = await galley.client.post<{ id: string }>('/api/workspaces', { name: 'Search' });
  return { ...galley, workspaceId: body.id };
}

const searchHasFollowed = (galley: Installation) => hasNone(galley, 'true');

/** Waits until no document whose words must be stored meets the condition. */
async function hasNone({ database }: Installation, condition: string): Promise<void> {
  await eventually(
    'the documents whose words must be stored',
    async () => (await database.count(`documents_to_index WHERE ${condition}`)) === 0,
    { timeout: 120_000 },
  );
}
