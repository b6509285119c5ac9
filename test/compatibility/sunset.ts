import type { Header, OpenApi } from '../support/openapi.js';

/**
 * Operations that are gone before they may: the last release has not deprecated them, or their `Sunset` is
 * yet to come.
 */
export function goneTooEarly(released: OpenApi, current: OpenApi, today: Date): string[] {
  const left = new Set(operationsOf(current).map(({ operationId }) => operationId));
  return operationsOf(released)
    .filter(({ operationId }) => !left.has(operationId))
    .filter(({ responses }) => !Object.values(responses).some((each) => isOver(each, today)))
    .map(({ operationId }) => operationId);
}

const operationsOf = ({ paths }: OpenApi) => Object.values(paths).flatMap(Object.values<Operation>);
type Operation = OpenApi['paths'][string][string];

function isOver(response: object, today: Date): boolean {
  const { headers = {} } = response as { headers?: Record<string, Header & { example?: string }> };
  const sunset = headers['Sunset']?.example;
  return sunset !== undefined && Date.parse(sunset) <= today.getTime();
}
