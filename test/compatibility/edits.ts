import type { OpenApi } from '../support/api/openapi.js';

/**
 * The place of an edit, as keys separated by blanks, starting at an operation, a shared schema or the
 * document; and the new value.
 */
export type Edit = [where: string, value: unknown];

/** The new value of an edit that removes something. */
export const GONE = Symbol('gone');

type Node = Record<string, unknown>;

/** Changes a document. A function makes the new value from the old one; parameters are found by name. */
export function edit(document: OpenApi, [where, value]: Edit): void {
  const { paths, webhooks, components } = document;
  const operations = [...Object.values(paths), ...Object.values(webhooks)]
    .flatMap((item) => Object.values(item))
    .map((operation) => [operation.operationId, operation]);
  const roots = { ...document, ...components.schemas, ...Object.fromEntries(operations) } as Node;
  const keys = where.split(' ');
  const last = keys.pop() ?? '';
  const holder = keys.reduce((node, key) => node[keyIn(node, key)] as Node, roots);
  const key = keyIn(holder, last);
  if (value === GONE) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else Reflect.deleteProperty(holder, key);
  } else {
    holder[key] =
      typeof value === 'function' ? (value as (old: unknown) => unknown)(holder[key]) : value;
  }
}

const keyIn = (node: Node, key: string): string =>
  Array.isArray(node)
    ? String(node.findIndex((each: Node) => each === (key as unknown) || each['name'] === key))
    : key;

export const without =
  (name: string) =>
  (list: unknown[]): unknown[] =>
    list.filter((each) => each !== name);
export const and =
  (...added: unknown[]) =>
  (list: unknown[]): unknown[] => [...list, ...added];
