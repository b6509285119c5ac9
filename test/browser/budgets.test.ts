import { beforeAll, expect, it } from '@jest/globals';
import { createWebhook, createWorkspace } from '#client';
import { addDeliveries, clientFor } from './support/stack.js';
import { useBrowser, Visitor } from './support/visitor.js';
import { itTimed } from '../support/it-timed.js';

const MAX_INITIAL_JAVASCRIPT_BYTES = 220 * 1024;
// A quiet machine takes less than 2 seconds. Where other programs use the processor, the best of ten tries took
// up to 2.4 seconds.
const MAX_FIRST_LOAD_MS = 3_000;
const DELIVERIES = 10_000;
const MAX_TASK_MS = 100;

// This many scrolls reach the end of the list. Each scroll moves by several screens.
const SCROLL_PIXELS = 5_000;
const SCROLLS = 100;
const OBSERVE_LONG_TASKS = `
  window.longestTask = 0;
  window.observer?.disconnect();
  window.observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      window.longestTask = Math.max(window.longestTask, duration);
    }
  });
  window.observer.observe({ type: 'longtask' });
`;

let workspaceId: string;
let path: string;
let storageState: Awaited<ReturnType<Visitor['context']['storageState']>>;

useBrowser();
beforeAll(async () => {
  const { generated: client } = await clientFor('ada@example.com');
  const { data } = await createWorkspace({ client, body: { name: 'Kitchen' } });
  workspaceId = data.id;
  path = `/settings/w/${workspaceId}/webhooks`;
  const ada = await Visitor.signIn('ada@example.com', path);
  storageState = await ada.context.storageState();
  await ada.leave();
});

const MAX_TRIES = 10;

/** The best of up to ten tries, because other programs may use the processor. Stops at the first good try. */
async function bestOfTries(bound: number, measure: () => Promise<number>): Promise<number> {
  let best = Infinity;
  for (let count = 0; count < MAX_TRIES && best > bound; count++) {
    best = Math.min(best, await measure());
  }
  return best;
}

/** Loads the page in a browser with an empty cache whose visitor is already signed in at the provider. */
async function loadFirst(): Promise<{ ada: Visitor; duration: number }> {
  const ada = await Visitor.arrive({ storageState });
  const start = performance.now();
  await ada.open(path);
  const heading = ada.page.getByRole('heading', { level: 1, name: 'Webhooks' });
  const emailField = ada.page.getByLabel('Email address');
  await heading.or(emailField).waitFor();
  if (await emailField.isVisible()) {
    // The provider has given its session a new id since the last call, so the visitor signs in again.
    await ada.fillSignIn('ada@example.com');
    await heading.waitFor();
    storageState = await ada.context.storageState();
    await ada.leave();
    return loadFirst();
  }
  await ada.page.getByRole('button', { name: 'Account' }).click({ trial: true });
  const duration = performance.now() - start;
  // The provider has given its session a new id, which the next call needs.
  storageState = await ada.context.storageState();
  return { ada, duration };
}

it('loads little JavaScript before the first view', async () => {
  const { ada } = await loadFirst();
  const bytes = await ada.page.evaluate<number>(
    `performance.getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  );
  await ada.leave();
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(MAX_INITIAL_JAVASCRIPT_BYTES);
});

itTimed('is interactive soon after the first request', async () => {
  const duration = await bestOfTries(MAX_FIRST_LOAD_MS, async () => {
    const { ada, duration } = await loadFirst();
    await ada.leave();
    return duration;
  });
  expect(duration).toBeLessThanOrEqual(MAX_FIRST_LOAD_MS);
});

itTimed('scrolls through ten thousand deliveries without long tasks', async () => {
  const { generated: client } = await clientFor('ada@example.com');
  const url = 'http://127.0.0.1:9/webhooks';
  const { data } = await createWebhook({ client, body: { workspaceId, url, events: ['*'] } });
  await addDeliveries(data.id, DELIVERIES);
  const ada = await Visitor.arrive({ storageState });
  const { page } = ada;
  await ada.open(`${path}/${data.id}/deliveries`);
  const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
  await rows.nth(1).waitFor();
  const end = page.getByText('All 10,000 deliveries are shown.');
  while (!(await end.isVisible())) await page.mouse.wheel(0, 20_000);

  const longestTask = await bestOfTries(MAX_TASK_MS, async () => {
    await page.evaluate(OBSERVE_LONG_TASKS);
    await page.keyboard.press('Home');
    for (let count = 0; count < SCROLLS; count++) await page.mouse.wheel(0, SCROLL_PIXELS);
    await end.waitFor();
    return page.evaluate<number>('window.longestTask');
  });
  await ada.leave();
  expect(longestTask).toBeLessThanOrEqual(MAX_TASK_MS);
});
