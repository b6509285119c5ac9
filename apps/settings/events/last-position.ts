/**
 * Finds the last position of a feed that can only be read forward. Positions have no gaps, so a binary search
 * works: each request asks whether an event exists after a position. A feed of a million events takes up to
 * 40 small requests.
 *
 * @param existsAfter whether an event exists after `position`.
 * @returns 0 if the feed is empty.
 */
export async function findLastPosition(
  existsAfter: (position: number) => Promise<boolean>,
): Promise<number> {
  if (!(await existsAfter(0))) return 0;
  let low = 0;
  let step = 1;
  while (await existsAfter(low + step)) {
    low += step;
    step *= 4;
  }
  let high = low + step;
  // From here on, at least one event exists after `low`, and none exists after `high`.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await existsAfter(middle)) low = middle;
    else high = middle;
  }
  return high;
}
