import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isUpload, operations } from '../../support/api/openapi.js';
import { startRefusalHarness, type RefusalHarness } from '../../support/requests/refusals.js';

let world: RefusalHarness;

beforeAll(async () => {
  world = await startRefusalHarness();
});
afterAll(() => world.galley.stop());

const authenticatedOperations = operations.filter(({ security }) => security?.length !== 0);
const routeCases = (selected: typeof operations) =>
  selected.map(({ method, path }) => [`${method} ${path.replace(/\{\w+\}/g, '<unknown>')}`]);
const unknownFieldError = (fieldKind: string) => ({
  path: 'stray',
  message: `stray is not a ${fieldKind} of this request`,
});

const isJson = (operation: (typeof operations)[number]) => !isUpload(operation);

it.each(routeCases(authenticatedOperations.filter(isJson)))(
  '%s refuses an unknown parameter',
  async (route) => {
    const body = route.startsWith('GET') ? undefined : {};
    const { details } = await world.expectRefusal(['', 400, `${route}?stray=true`, body]);
    expect(details).toContainEqual(unknownFieldError('query parameter'));
  },
);

it.each(
  routeCases(
    authenticatedOperations.filter(({ method, requestBody }) => method !== 'GET' && !requestBody),
  ),
)('%s refuses a body, except for an empty one', async (route) => {
  const { details } = await world.expectRefusal(['', 400, route, { stray: true }]);
  expect(details).toEqual([unknownFieldError('field')]);
  for (const body of ['["stray"]', '"stray"', '[]', 'true', '7', 'null']) {
    const { message } = await world.expectRefusal(['', 400, route, body]);
    expect(message).toBe('The body must be a JSON object.');
  }
  await world.expectRefusal(['', 404, route, {}]);
});

it.each([
  ['GET /api/templates', 'workspaceId is missing'],
  [
    'GET /api/templates?workspaceId=<workspace>&limit=1&limit=2',
    'limit must not be given more than once',
  ],
  ['GET /api/templates?workspaceId=<workspace>&serach=x', 'serach is not a query parameter'],
])('%s gets the message that %s', async (route, expectedMessage) => {
  expect((await world.expectRefusal(['', 400, route])).message).toContain(expectedMessage);
});

it('only the beginning of a long name is quoted', async () => {
  const name = 'x'.repeat(1_000_000);
  for (const route of ['POST /api/templates', 'POST /api/webhooks/<webhook>/disable']) {
    const { message } = await world.expectRefusal(['', 400, route, { [name]: 1 }]);
    expect(message.length).toBeLessThan(300);
  }
});

it('an unknown route gets the same message with every method', async () => {
  for (const route of ['PATCH /api/templates/<template>', 'GET /api/nothing?search=secret']) {
    const { message } = await world.expectRefusal(['', 404, route]);
    expect(message).toBe('There is no such route; check the method and the path.');
  }
});
