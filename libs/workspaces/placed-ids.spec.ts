import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { newIdFor, partitionSuffix } from './placed-ids.js';

it('a million ids are unique and ordered, and each ends with the suffix of its workspace', () => {
  const workspaceIds = Array.from({ length: 1_000 }, () => randomUUID());
  const ids = Array.from({ length: 1_000_000 }, (_, index) =>
    newIdFor(workspaceIds[index % workspaceIds.length] ?? ''),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.findIndex((id, index) => id < (ids[index - 1] ?? ''))).toBe(-1);
  const misplaced = ids.findIndex(
    (id, index) => !id.endsWith(partitionSuffix(workspaceIds[index % workspaceIds.length] ?? '')),
  );
  expect(misplaced).toBe(-1);
  expect(ids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

it('the suffixes of workspaces are evenly distributed', () => {
  const counts = new Map<string, number>();
  for (let count = 0; count < 100_000; count++) {
    const place = partitionSuffix(randomUUID());
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  expect(counts.size).toBe(4_096);
  // The average is 24, and the largest of 4,096 random counts is about 45.
  expect(Math.max(...counts.values())).toBeLessThan(70);
});
