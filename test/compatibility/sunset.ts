import type { Header, OpenApi } from '../support/api/openapi.js';

/**
 * Operations that were removed too early: the last release did not deprecate them, or their `Sunset` is in
 * the future.
 */
export function findEarlyRemovals(released: OpenApi, current: OpenApi, today: Date): string[] {
  const left = addressesIn(current);
  return [...addressesIn(released)]
    .filter(([address, { responses }]) => {
      return !left.has(address) && !Object.values(responses).some((each) => isOver(each, today));
    })
    .map(([address]) => address);
}

const addressesIn = ({ paths }: OpenApi) =>
  new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const),
    ),
  );

function isOver(response: object, today: Date): boolean {
  const { headers = {} } = response as { headers?: Record<string, Header & { example?: string }> };
  const sunset = headers['Sunset']?.example;
  return sunset !== undefined && Date.parse(sunset) <= today.getTime();
}
