import { fork } from 'node:child_process';
import { once } from 'node:events';
import mjmlCore from 'mjml-core';
import presetCore from 'mjml-preset-core';
import check from '../../../../libs/rendering/checks/check.js';
import compile from '../../../../libs/rendering/drawing/compile.js';
import exchange from '../../../../libs/rendering/translations/exchange.js';
import { emailDocument } from '../../content/documents.js';
import { compare, interleave, spread, type Row } from '../../figures.js';
import type { Harness, Installation } from '../../harness.js';
import { requestsPerSecond, sendRequests } from '../../load.js';
import type { Renders } from '../../renders.js';
import { atRate, quantileOf, RATE } from '../latency.js';

const BYTES = 28_000;
const RENDERS_PER_SECOND = 20;
const source = (content: object) => ({ content: JSON.stringify(content), title: 'Welcome' });

/** Row 20: a rendered document that is cached, with data, against a read of the document itself. */
async function* cachedRow(harness: Harness, galley: Installation): AsyncGenerator<Row> {
  const { url, token } = galley;
  const id = await createTemplate(galley, { ...emailDocument(10_000), preheader: '{{name}}' });
  const path = `${url}/api/templates/${id}`;
  const body = JSON.stringify({ data: { name: 'Ada' } });
  const render = { url: `${path}/render`, method: 'POST', body, token } as const;
  // The first rendering starts a thread, which loads MJML, and fills the cache.
  await sendRequests(render, 1, { connections: 1 });
  const { seconds, rounds } = harness.scale;
  const figures = await interleave(rounds, {
    rendered: () => requestsPerSecond(render, seconds),
    read: () => requestsPerSecond({ url: path, method: 'GET', token }, seconds),
  });
  yield {
    number: '20 (cached)',
    what: 'render a cached version with data',
    baseline: 'read the template',
    unit: 'requests/s',
    ...compare(figures.rendered, figures.read),
    target: { atLeast: 0.5 },
  };
}

/** Row 20: the first rendering of a document against bare MJML with the MJML of the same document. */
async function* firstRow({ scale }: Harness): AsyncGenerator<Row> {
  const document = source(emailDocument(BYTES));
  const compiled = await compile({ ...document, format: 'mjml' });
  if ('reason' in compiled) throw new Error(compiled.reason);
  const [mjml] = compiled.programs.mjml?.parts ?? [];
  if (typeof mjml !== 'string') throw new Error('The MJML has merge tags.');
  const perSecond = (work: () => Promise<unknown>) => async () => {
    const count = scale.quick ? 20 : 100;
    const begun = performance.now();
    for (let at = 0; at < count; at++) await work();
    return (count * 1_000) / (performance.now() - begun);
  };
  const figures = await interleave(scale.rounds, {
    galley: perSecond(() => compile({ ...document, format: 'html' })),
    mjml: perSecond(() =>
      mjmlCore.default(mjml, { presets: [presetCore], validationLevel: 'strict', fonts: {} }),
    ),
  });
  yield {
    number: '20 (first)',
    what: 'render a document of 28 KB for the first time',
    baseline: 'bare mjml with the same MJML',
    unit: 'documents/s',
    ...compare(figures.galley, figures.mjml),
    target: { atLeast: 0.8 },
  };
}

/** Row 34: the first rendering of a document in another language. */
async function* languageRow({ scale }: Harness): AsyncGenerator<Row> {
  const { content, title } = source(emailDocument(BYTES));
  const read = exchange({ action: 'read', content, language: 'pt' });
  const texts = 'texts' in read ? (read.texts ?? []) : [];
  const translations = texts.map(({ id, source: text }) => ({ id, text: `${text} pt` }));
  const written = exchange({ action: 'write', content, language: 'pt', texts: translations });
  if (!('content' in written)) throw new Error('The document has no translations.');
  const perSecond = (language?: string) => async () => {
    const count = scale.quick ? 20 : 100;
    const begun = performance.now();
    for (let at = 0; at < count; at++) {
      await compile({ content: written.content, title, language, format: 'html' });
    }
    return (count * 1_000) / (performance.now() - begun);
  };
  const figures = await interleave(scale.rounds, {
    translated: perSecond('pt'),
    plain: perSecond(),
  });
  yield {
    number: '34',
    what: 'render a document of 28 KB in another language for the first time',
    baseline: 'in its own language',
    unit: 'documents/s',
    ...compare(figures.translated, figures.plain),
    target: { atLeast: 0.9 },
  };
}

/** Row 21: what a check takes beyond the rendering. It has no baseline. */
async function* checkRow({ scale }: Harness): AsyncGenerator<Row> {
  const document = source(emailDocument(BYTES));
  const millisecondsOf = (work: () => Promise<unknown>) => async () => {
    const count = scale.quick ? 20 : 100;
    const begun = performance.now();
    for (let at = 0; at < count; at++) await work();
    return (performance.now() - begun) / count;
  };
  const figures = await interleave(scale.rounds, {
    checked: millisecondsOf(() => check({ ...document, levels: {}, latestVersions: {} })),
    rendered: millisecondsOf(() => compile({ ...document, format: 'html' })),
  });
  const ratio = spread(
    figures.checked.map((checked, round) => checked - (figures.rendered[round] ?? NaN)),
  );
  yield {
    number: '21',
    what: 'check a document of 28 KB, beyond its rendering',
    baseline: 'none: milliseconds',
    unit: 'ms',
    galley: ratio.median,
    ratio,
    target: { atMost: 10 },
  };
}

/** Row 22: the latency of another user's reads, while documents of 28 KB are rendered for the first time. */
async function* besideRow({ scale }: Harness, galley: Installation): AsyncGenerator<Row> {
  const reader = await galley.as('reader');
  const { body } = await reader.post<{ id: string }>('/api/workspaces', { name: 'Reader' });
  const template = { name: 'Welcome', workspaceId: body.id, content: emailDocument(1_000) };
  const { id } = (await reader.post<{ id: string }>('/api/templates', template)).body;
  const read = async () => {
    const begun = performance.now();
    const { status } = await reader.get(`/api/templates/${id}`);
    if (status !== 200) throw new Error(`The reader got ${status}.`);
    return performance.now() - begun;
  };
  const seconds = scale.quick ? 3 : 10;
  const p99 = async () => quantileOf(await atRate(RATE * seconds, read), 0.99);
  const figures = await interleave(scale.rounds, {
    beside: async () => {
      const stop = await startRenders(galley);
      const latency = await p99();
      await stop();
      return latency;
    },
    alone: p99,
  });
  yield {
    number: '22',
    what: `read a template, p99, beside ${RENDERS_PER_SECOND} renders a second`,
    baseline: 'without renders',
    unit: 'ms',
    ...compare(figures.beside, figures.alone),
    target: { atMost: 1.5 },
  };
}

/** Renders in another process; returns a function that stops the process. */
async function startRenders({ url, token }: Installation): Promise<() => Promise<void>> {
  const child = fork(new URL('../../renders.js', import.meta.url));
  const exited = once(child, 'exit');
  const renders: Renders = {
    url: `${url}/api/render`,
    token,
    perSecond: RENDERS_PER_SECOND,
    bytes: BYTES,
  };
  child.send(renders);
  await once(child, 'message');
  return async () => {
    if (child.exitCode !== null) throw new Error('A rendering has failed.');
    child.kill();
    await exited;
  };
}

async function createTemplate(galley: Installation, content: object): Promise<string> {
  const body = { name: 'Welcome', workspaceId: galley.workspaceId, content };
  return (await galley.client.post<{ id: string }>('/api/templates', body)).body.id;
}

export async function* renderingRows(harness: Harness): AsyncGenerator<Row> {
  yield* firstRow(harness);
  yield* languageRow(harness);
  yield* checkRow(harness);
  const galley = await harness.install();
  yield* cachedRow(harness, galley);
  yield* besideRow(harness, galley);
  await galley.stop();
}
