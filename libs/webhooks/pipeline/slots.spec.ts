import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { DueEndpoint, EndpointHealth } from '../traffic/endpoint-health.js';
import { Slots } from './slots.js';

let endpointCount = 0;
const endpointOf = (workspaceId: string, health: EndpointHealth = 'healthy'): DueEndpoint => ({
  endpointId: `endpoint ${++endpointCount}`,
  workspaceId,
  health,
});

/** Takes slots for endpoints of one workspace, one slot each, until no more are granted. */
function takeAll(slots: Slots, workspaceId: string, health: EndpointHealth): DueEndpoint[] {
  const taken: DueEndpoint[] = [];
  for (;;) {
    const endpoint = endpointOf(workspaceId, health);
    if (slots.tryTake(endpoint, 1) === 0) return taken;
    taken.push(endpoint);
  }
}

describe('slots', () => {
  it('let one workspace take at most half, and the next workspace half of the rest', () => {
    const slots = new Slots(1_000);
    const healthy = 900;
    expect(takeAll(slots, 'first', 'healthy')).toHaveLength(healthy / 2);
    const second = takeAll(slots, 'second', 'healthy').length;
    expect(second).toBeGreaterThan(healthy / 5);
    const others = Array.from(
      { length: 5 },
      (_, index) => takeAll(slots, `${index}`, 'healthy').length,
    );
    expect(Math.min(...others)).toBeGreaterThan(0);
    expect(takeAll(slots, 'first', 'healthy')).toEqual([]);
  });

  it('limit failing and unproven endpoints to their shares, across any number of workspaces', () => {
    const slots = new Slots(100);
    const held = (health: EndpointHealth) =>
      Array.from({ length: 1_000 }, (_, index) => takeAll(slots, `${index}`, health).length).reduce(
        (sum, count) => sum + count,
      );
    expect(held('failing')).toBe(5);
    expect(held('unproven')).toBe(10);
    expect(takeAll(slots, 'healthy', 'healthy').length).toBeGreaterThanOrEqual(42);
  });

  it('stay available to unproven endpoints, however many healthy endpoints there are', () => {
    const slots = new Slots(200);
    for (let index = 0; index < 1_000; index++) takeAll(slots, `${index}`, 'healthy');
    expect(takeAll(slots, 'new', 'unproven').length).toBeGreaterThanOrEqual(10);
  });

  it.each([1, 2, 3])('serve endpoints of every health, even if there are only %d', (size) => {
    const slots = new Slots(size);
    for (const health of ['healthy', 'unproven', 'failing'] as const) {
      const endpoint = endpointOf('one', health);
      expect(slots.tryTake(endpoint, 50)).toBe(1);
      slots.free(endpoint, 1);
    }
  });

  it('are granted to waiting workspaces in round-robin order', async () => {
    const slots = new Slots(10);
    const busy = Array.from({ length: 9 }, (_, index) => endpointOf(`busy ${index}`));
    for (const endpoint of busy) expect(slots.tryTake(endpoint, 1)).toBe(1);
    const served: string[] = [];
    const wait = (workspaceId: string) => {
      const endpoint = endpointOf(workspaceId);
      void slots.wait(endpoint, 1).then((count) => {
        if (count === 0) return;
        served.push(workspaceId);
        slots.free(endpoint, count);
      });
    };
    for (let index = 0; index < 3; index++) wait('many');
    wait('one');
    wait('other');
    slots.free(busy[0] as DueEndpoint, 1);
    for (let index = 0; index < 20 && served.length < 5; index++) await nextLoopTick();
    expect(served).toEqual(['many', 'one', 'other', 'many', 'many']);
  });

  it('let an endpoint wait only once, with its latest health', async () => {
    const slots = new Slots(2);
    const [first, second] = [endpointOf('a'), endpointOf('b', 'unproven')];
    slots.tryTake(first, 1);
    slots.tryTake(second, 1);
    const waiting = endpointOf('c', 'unproven');
    const asUnproven = slots.wait(waiting, 1);
    expect(await slots.wait(waiting, 1)).toBe(0);
    const asHealthy = slots.wait({ ...waiting, health: 'healthy' }, 1);
    expect(await asUnproven).toBe(0);
    slots.free(first, 1);
    expect(await asHealthy).toBe(1);
  });

  it('count the waiting endpoints by their health', async () => {
    const slots = new Slots(10);
    const holders = takeAll(slots, 'one', 'healthy');
    const waiting = [endpointOf('one'), endpointOf('one')];
    const granted = waiting.map((endpoint) => slots.wait(endpoint, 1));
    void slots.wait(endpointOf('two', 'failing'), 1);
    void slots.wait(endpointOf('two', 'failing'), 1);
    expect(slots.waitingCount('healthy')).toBe(2);
    // The first failing endpoint got the only slot for failing endpoints.
    expect(slots.waitingCount('failing')).toBe(1);
    expect(slots.waitingCount('unproven')).toBe(0);
    for (const endpoint of holders) slots.free(endpoint, 1);
    await Promise.all(granted);
    expect(slots.waitingCount('healthy')).toBe(0);
  });

  it('turn away endpoints above the limit, except for workspaces without waiting endpoints', async () => {
    const slots = new Slots(1);
    const holder = endpointOf('holder');
    slots.tryTake(holder, 1);
    for (let index = 0; index < 10_000; index++) void slots.wait(endpointOf('many'), 1);
    expect(await slots.wait(endpointOf('many'), 1)).toBe(0);
    let granted = 0;
    const other = endpointOf('other');
    void slots.wait(other, 1).then((count) => (granted = count));
    await nextLoopTick();
    slots.free(holder, 1);
    await nextLoopTick();
    // The oldest waiting endpoint of `many` has the slot now. This call frees the slot.
    slots.free(endpointOf('many'), 1);
    await nextLoopTick();
    expect(granted).toBe(1);
  });

  it('limit the rate of failing endpoints, except for workspaces without waiting endpoints', async () => {
    const slots = new Slots(10_000);
    const startedAt = performance.now();
    let served = 0;
    const many = Array.from({ length: 75 }, async () => {
      const endpoint = endpointOf('many', 'failing');
      const granted = await slots.wait(endpoint, 1);
      served += granted;
      slots.free(endpoint, granted);
    });
    expect(slots.tryTake(endpointOf('many', 'failing'), 1)).toBe(0);
    expect(slots.tryTake(endpointOf('one', 'failing'), 1)).toBe(1);
    expect(slots.tryTake(endpointOf('healthy'), 1)).toBe(1);
    await Promise.all(many);
    expect(served).toBe(75);
    expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  });

  it('close once all are free, and turn away waiting and new endpoints', async () => {
    const slots = new Slots(1);
    const endpoint = endpointOf('a');
    slots.tryTake(endpoint, 1);
    const waiting = slots.wait(endpointOf('b'), 1);
    let closed = false;
    const closing = slots.close().then(() => (closed = true));
    expect(await waiting).toBe(0);
    expect(slots.tryTake(endpointOf('c'), 1)).toBe(0);
    expect(closed).toBe(false);
    slots.free(endpoint, 1);
    await closing;
  });
});
