import { expect, it } from '@jest/globals';
import { documentWith } from './module-document.js';

it.each([
  ['stripe', (module: object) => [module]],
  ['hero', (module: object) => [module]],
  ['container', (module: object) => [{ containers: [module] }]],
  ['text', (module: object) => [{ containers: [{ blocks: [module] }] }]],
  [undefined, (module: object) => [{ containers: [{ blocks: [module] }] }]],
])('a module of the type %s is in its place', (type, stripesWith) => {
  const module = { type };
  expect(documentWith(module)).toEqual({ stripes: stripesWith(module) });
});
