import { expect, it } from '@jest/globals';
import Fastify from 'fastify';
import { isLongRunning } from './long-running-requests.js';

it.each([
  ['', false],
  ['sort=name', false],
  ['updatedSince=2026-01-01T00:00:00Z', false],
  ['updatedSince=2026-01-01T00:00:00Z&sort=updatedAt', false],
  ['updatedSince=2026-01-01T00:00:00Z&sort=-updatedAt', false],
  // These orders have indexes without the time of the change, so all rows may be read.
  ['updatedSince=2026-01-01T00:00:00Z&sort=createdAt', true],
  ['updatedSince=2026-01-01T00:00:00Z&sort=-createdAt', true],
  ['updatedSince=2026-01-01T00:00:00Z&sort=name', true],
  ['sort=-name&updatedSince=2026-01-01T00:00:00Z', true],
  ['search=footer', true],
  ['category=footers', true],
  ['force=true', true],
])('a request with the query "%s" may take long: %s', async (query, isLong) => {
  const fastify = Fastify();
  fastify.get('/', (request) => ({ isLong: isLongRunning(request) }));
  const response = await fastify.inject(`/?${query}`);
  expect(response.json()).toEqual({ isLong });
});

it('a batch may take long', async () => {
  const fastify = Fastify();
  const config = { operation: { isBatch: true } };
  fastify.get('/', { config }, (request) => ({ isLong: isLongRunning(request) }));
  expect((await fastify.inject('/')).json()).toEqual({ isLong: true });
});
