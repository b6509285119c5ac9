import { expect, it } from '@jest/globals';
import Fastify from 'fastify';
import { isLongRunning } from './long-running-requests.js';

it.each([
  ['', false],
  ['sort=name', false],
  ['updatedSince=2026-01-01T00:00:00Z', false],
  ['updatedSince=2026-01-01T00:00:00Z&sort=updatedAt', false],
  ['updatedSince=2026-01-01T00:00:00Z&sort=-updatedAt', false],
  // The indexes for these sort orders do not contain `updatedAt`, so PostgreSQL reads more rows than it returns.
  ['updatedSince=2026-01-01T00:00:00Z&sort=createdAt', true],
  ['updatedSince=2026-01-01T00:00:00Z&sort=-createdAt', true],
  ['updatedSince=2026-01-01T00:00:00Z&sort=name', true],
  ['sort=-name&updatedSince=2026-01-01T00:00:00Z', true],
  ['search=footer', true],
  ['category=footers', true],
  ['tags=sale', true],
  ['createdBy=01936f5e-6f02-7b1e-8a57-0d4c9e5f3b21', true],
  ['published=false', true],
  ['query=footer', true],
  ['force=true', true],
])('a request with the query "%s" is long-running: %s', async (query, isLong) => {
  const fastify = Fastify();
  fastify.get('/', (request) => ({ isLong: isLongRunning(request) }));
  const response = await fastify.inject(`/?${query}`);
  expect(response.json()).toEqual({ isLong });
});

it.each(['isBatch', 'mayTakeLong'])('an operation with %s is long-running', async (option) => {
  const fastify = Fastify();
  const config = { operation: { [option]: true } };
  fastify.get('/', { config }, (request) => ({ isLong: isLongRunning(request) }));
  expect((await fastify.inject('/')).json()).toEqual({ isLong: true });
});
