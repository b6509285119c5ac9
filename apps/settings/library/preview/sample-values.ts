import type { SampleData } from './preview-queries.js';

/**
 * Data in which each variable has its own name as the value, as a start for the reader. Lists have two items.
 *
 * @param variables such as `user.name` and `order.items[].price`.
 */
export function sampleValues(variables: readonly string[]): SampleData {
  const data: SampleData = {};
  // Shorter names first, so that `user` does not replace the object of `user.name`.
  for (const variable of variables.toSorted((a, b) => b.length - a.length)) {
    put(data, variable.split('.'));
  }
  return data;
}

function put(target: SampleData, [first = '', ...rest]: string[]): void {
  const isList = first.endsWith('[]');
  const name = isList ? first.slice(0, -2) : first;
  if (rest.length === 0) {
    if (!Object.hasOwn(target, name)) define(target, name, name);
    return;
  }
  if (!Object.hasOwn(target, name)) define(target, name, isList ? [{}, {}] : {});
  const value = target[name];
  for (const each of Array.isArray(value) ? value : [value]) {
    if (typeof each === 'object' && each !== null) put(each as SampleData, rest);
  }
}

/** Like an assignment, also for a name such as `__proto__`. */
const define = (target: SampleData, name: string, value: unknown) =>
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
