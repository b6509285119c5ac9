import type { OpenApi } from '../support/api/openapi.js';

/**
 * Where an edit changes a document, and the new value. The place is a path of keys separated by spaces; its
 * first key names an operation, a shared schema or a field of the document.
 */
export type Edit = [where: string, value: unknown];

/** The new value of an edit that removes something. */
export const GONE = Symbol('gone');

type Node = Record<string, unknown>;

/**
 * Applies an edit to a document. If the value is a function, the function makes the new value from the old one.
 * An element of an array is named by its value or by its `name`.
 */
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
