import { expect, it } from '@jest/globals';
import { toLibpqUrl } from './postgres-tools.js';

it.each([
  ['?uselibpqcompat=true&sslmode=disable', '?sslmode=disable'],
  ['?sslmode=require&uselibpqcompat=true', '?sslmode=require'],
  ['?a=1&uselibpqcompat=true&sslmode=no-verify', '?a=1&sslmode=require'],
  ['?uselibpqcompat=true', ''],
])('pg_dump gets the parameters %s as "%s"', (query, expected) => {
  expect(toLibpqUrl(`postgres://host/galley${query}`)).toBe(`postgres://host/galley${expected}`);
});
