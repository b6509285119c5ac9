import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DomainError } from '#errors';
import { Renderer } from '#rendering';
import { documentOf, text } from '../../support/api/drawable.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';

let galley: Galley;
let renderer: Renderer;

beforeAll(async () => {
  galley = await startGalley();
  renderer = galley.api.get(Renderer);
});
afterAll(() => galley.stop());

// Large enough for a few tenths of a second.
const sourceOf = (name: string) => {
  const content = documentOf(...Array.from({ length: 1_000 }, () => text(name)));
  return { content: JSON.stringify(content), title: '', format: 'html' } as const;
};

const tenant = () => 'tenant';

it('documents that wait are rendered after a thread has ended', async () => {
  await renderer.render(sourceOf('first'), { tenant });
  const pool = renderer['pools'].large;
  if (pool === undefined) throw new Error('There is no pool.');
  const count = pool.maxThreads + 3;
  const results = Array.from({ length: count }, (_, index) =>
    renderer.render(sourceOf(`${index}`), { tenant }).then(
      () => 'rendered',
      (error: unknown) => (error as DomainError).code,
    ),
  );
  await eventually('a waiting document', () => renderer['turns'].waitingCount > 0);
  await Promise.all(pool.threads.map((thread) => thread.terminate()));
  const outcomes = await Promise.all(results);
  // What the threads had begun is lost, and the caller is asked to retry.
  const lost = outcomes.filter((outcome) => outcome !== 'rendered');
  expect(lost.every((outcome) => outcome === 'unavailable')).toBe(true);
  expect(lost.length).toBeLessThanOrEqual(pool.maxThreads);
  await renderer.render(sourceOf('last'), { tenant });
});

it('a document that several callers want at once is rendered once', async () => {
  const completed = renderer['pools'].large?.completed ?? 0;
  await Promise.all(Array.from({ length: 4 }, () => renderer.render(sourceOf('once'), { tenant })));
  expect(renderer['pools'].large?.completed).toBe(completed + 1);
  await renderer.render(sourceOf('once'), { tenant });
  expect(renderer['pools'].large?.completed).toBe(completed + 1);
});
