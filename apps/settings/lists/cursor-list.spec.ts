import { describe, expect, it } from '@jest/globals';
import { readMatchingPage } from './cursor-list.js';

const row = { id: 'a' };

describe('readMatchingPage', () => {
  it('skips empty pages until the first match', async () => {
    const cursors: (string | undefined)[] = [];
    const page = await readMatchingPage((cursor) => {
      cursors.push(cursor);
      return Promise.resolve(
        cursors.length < 3
          ? { data: [], nextCursor: String(cursors.length) }
          : { data: [row], nextCursor: 'end' },
      );
    });
    expect(cursors).toEqual([undefined, '1', '2']);
    expect(page).toEqual({ data: [row], nextCursor: 'end' });
  });

  it('stops at the last page', async () => {
    const page = await readMatchingPage(() => Promise.resolve({ data: [], nextCursor: null }));
    expect(page.nextCursor).toBeNull();
  });

  it('stops after 20 pages and returns the next cursor', async () => {
    let requests = 0;
    const page = await readMatchingPage(() => {
      requests += 1;
      return Promise.resolve({ data: [], nextCursor: String(requests) });
    });
    expect(requests).toBe(20);
    expect(page).toEqual({ data: [], nextCursor: '20' });
  });
});
