import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { badPaths, badQueries } from '../../support/requests/bad-urls.js';
import { bodyRoutes } from '../../support/requests/bad-bodies.js';
import { operations } from '../../support/api/openapi.js';
import {
  startRefusalHarness,
  type Case,
  type RefusalHarness,
} from '../../support/requests/refusals.js';

let world: RefusalHarness;

beforeAll(async () => {
  world = await startRefusalHarness();
});
afterAll(() => world.galley.stop());

const itRefuses = (cases: Case[]) =>
  it.each(cases)('%s is %i', async (...testCase) => {
    await world.expectRefusal(testCase);
  });

describe('a body with one invalid field', () => {
  const fieldCases = bodyRoutes.flatMap(({ route, valid, required, wrong }) => {
    const faultyCase = (what: string, field: string, body: object) => ({
      what,
      field,
      route,
      body,
    });
    return [
      ...required.map((field) => {
        const { [field]: missing, ...body } = valid;
        return faultyCase(`no ${field}`, field, body);
      }),
      ...Object.entries(wrong).flatMap(([field, values]) =>
        values.map((value) => {
          const body = { ...valid, [field]: value };
          return faultyCase(`${field}: ${JSON.stringify(value).slice(0, 50)}`, field, body);
        }),
      ),
      // Field names that every JavaScript object inherits must be refused like other unknown names.
      ...['extra', 'constructor', 'toString', 'hasOwnProperty'].map((field) =>
        faultyCase(`the unknown ${field}`, field, { ...valid, [field]: 'x' }),
      ),
    ];
  });

  it.each(fieldCases)('is 400 and names the field: $route with $what', async (fieldCase) => {
    const { what, field, route, body } = fieldCase;
    const { details } = await world.expectRefusal([what, 400, route, body]);
    expect(details?.map(({ path }) => path)).toEqual([field]);
  });

  it('gets all of its problems at once', async () => {
    const body = { name: '', extra: 1, content: [], workspaceId: 7 };
    const { details } = await world.expectRefusal([
      'four problems',
      400,
      'POST /api/templates',
      body,
    ]);
    expect(details?.map(({ path }) => path).sort()).toEqual(Object.keys(body).sort());
  });
});

describe('a body that is not a JSON object', () => {
  const bodies: [string, number, unknown, Record<string, string>?][] = [
    ...['[]', '[{}]', '"text"', '7', 'true', 'null'].map((body): [string, number, string] => [
      body,
      400,
      body,
    ]),
    ['broken JSON', 400, '{"name":'],
    ['a trailing comma', 400, '{"name":"A",}'],
    ['text after the JSON', 400, '{"name":"A"} x'],
    ['white space', 400, '  '],
    ['invalid UTF-8', 400, Buffer.from('7b22c328223a317d', 'hex')],
    ['a surrogate in UTF-8', 400, Buffer.from('7b226e616d65223a22eda080227d', 'hex')],
    ['UTF-16', 400, Buffer.from('{"name":"A"}', 'utf16le')],
    ['a raw control character', 400, '{"name":"a\u0001b"}'],
    ['plain text', 415, 'name=A', { 'content-type': 'text/plain' }],
    ['a form', 415, 'name=A', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['an invalid media type', 415, '{}', { 'content-type': 'nonsense' }],
    ['no media type', 415, Buffer.from('{"name":"A"}'), {}],
    ['a name of 10 MB', 413, `{"name":"${'x'.repeat(10_000_000)}"}`],
    ['a byte more than 1 MiB', 413, `{"name":"${'x'.repeat(1024 * 1024 - 10)}"}`],
    ['brackets that never close', 400, '['.repeat(1_000_000)],
    ['half a million lists', 400, `{"content":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
  ];
  itRefuses(
    bodyRoutes.flatMap(({ route, takesLarge }) =>
      bodies.map(([what, status, body, headers]): Case => [
        `${route} with ${what}`,
        ...([takesLarge && status === 413 ? 400 : status, route, body, headers] as const),
      ]),
    ),
  );
  itRefuses(
    bodyRoutes
      .filter(({ required }) => required.length > 0)
      .flatMap(({ route }): Case[] => [
        [`${route} without a body`, 400, route],
        [`${route} with an empty body`, 400, route, ''],
      ]),
  );
});

describe('a body with a dangerous value', () => {
  const nestedObject = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const traps: [string, string][] = [
    ['NUL as value', '{"a":"x\\u0000"}'],
    ['NUL as key', '{"x\\u0000":1}'],
    ['half a surrogate pair as value', '{"a":["\\ud800"]}'],
    ['half a surrogate pair as key', '{"\\uDFFF":1}'],
    ['surrogates in the wrong order', '{"a":"\\ude00\\ud83d"}'],
    ['__proto__', '{"__proto__":{"admin":true}}'],
    ['__proto__ deep down', '{"a":[{"b":{"__proto__":null}}]}'],
    ['__proto__ in escapes', '{"\\u005f_proto__":1}'],
    ['a prototype of the constructor', '{"constructor":{"prototype":{"a":1}}}'],
    ['201 levels', nestedObject(200)],
    ['10,000 levels', nestedObject(10_000)],
  ];
  const templateWithContent = (content: string) =>
    `{"name":"A","workspaceId":"<workspace>","content":${content}}`;
  itRefuses([
    ...traps.flatMap(([what, content]): Case[] => [
      [`a new template with ${what}`, 400, 'POST /api/templates', templateWithContent(content)],
      [
        `a template put with ${what}`,
        400,
        'PUT /api/templates/<template>',
        `{"content":${content}}`,
      ],
      [`a module put with ${what}`, 400, 'PUT /api/modules/<module>', `{"content":${content}}`],
    ]),
    ...bodyRoutes.flatMap(({ route, valid }): Case[] => {
      const text = JSON.stringify(valid).slice(1);
      return [
        [`${route} with __proto__`, 400, route, `{"__proto__":{"name":"A"},${text}`],
        [`${route} with constructor`, 400, route, `{"constructor":null,${text}`],
        ...Object.keys(valid).flatMap((field): Case[] => [
          [`${route} with NUL in ${field}`, 400, route, { ...valid, [field]: 'a\0b' }],
          [`${route} with a surrogate in ${field}`, 400, route, { ...valid, [field]: 'a\ud800' }],
        ]),
      ];
    }),
  ]);
});

describe('a URL', () => {
  describe('with a bad query:', () => itRefuses(badQueries));
  describe('with a bad path:', () => itRefuses(badPaths));

  it.each(['%ED%A0%80', '%zz', '%', '%F0%9F%98%80', "'", '%25', '_', '\\'])(
    'may search for %s like any other text',
    async (search) => {
      for (const list of ['templates', 'modules']) {
        const path = `GET /api/${list}?workspaceId=<workspace>&search=${search}`;
        const { status, body } = await world.send(['', 200, path]);
        expect([status, body]).toMatchObject([200, { data: [], nextCursor: null }]);
      }
    },
  );
});

describe('a resource that is sent back', () => {
  const resources: [string, string[]][] = [
    ['/api/templates/<template>', ['id', 'workspaceId', 'version', 'createdAt', 'updatedAt']],
    ['/api/modules/<module>', ['id', 'workspaceId', 'createdAt', 'updatedAt']],
    ['/api/webhooks/<webhook>', ['id', 'workspaceId', 'createdAt', 'updatedAt']],
    ['/api/workspaces/<workspace>', ['id', 'createdAt', 'updatedAt']],
  ];

  it.each(resources)('is accepted as it was read: %s', async (path) => {
    const { body } = await world.send<object>(['', 200, `GET ${path}`]);
    const putResponse = await world.send(['', 200, `PUT ${path}`, body]);
    expect([putResponse.status, putResponse.body]).toEqual([200, body]);
  });

  it.each(resources)('is accepted with its times in another spelling: %s', async (path) => {
    const { body } = await world.send<Record<string, string>>(['', 200, `GET ${path}`]);
    const formats = [
      (time: string) => time.replace('Z', '000+00:00'),
      (time: string) => time.replace('Z', '-00:00'),
      (time: string) => new Date(Date.parse(time) + 3_600_000).toISOString().replace('Z', '+01:00'),
    ];
    for (const format of formats) {
      const { createdAt = '', updatedAt = '' } = body;
      const times = { createdAt: format(createdAt), updatedAt: format(updatedAt) };
      const putResponse = await world.send(['', 200, `PUT ${path}`, { ...body, ...times }]);
      expect([times, putResponse.status, putResponse.body]).toEqual([times, 200, body]);
    }
  });

  it.each(resources)('is refused with a changed read-only field: %s', async (path, fields) => {
    const { body } = await world.send<object>(['', 200, `GET ${path}`]);
    for (const field of fields) {
      for (const value of [null, '2', '', '<unknown>', '2020-01-01T00:00:00.000Z', {}, ['x']]) {
        const changedBody = { ...body, [field]: value };
        const { details } = await world.expectRefusal([field, 400, `PUT ${path}`, changedBody]);
        expect(details?.map(({ path: fieldPath }) => fieldPath)).toEqual([field]);
      }
    }
    const readOnly = Object.entries(body).filter(([field]) => fields.includes(field));
    await world.expectRefusal(['no change', 400, `PUT ${path}`, Object.fromEntries(readOnly)]);
    await world.expectRefusal(['nothing', 400, `PUT ${path}`, {}]);
    await world.expectRefusal(['no body', 400, `PUT ${path}`]);
  });
});

it('a body is optional exactly where the document says so', async () => {
  const idNames = new Map([
    ...Object.entries({ templates: 'template', modules: 'module', webhooks: 'webhook' }),
  ]);
  const operationsWithBody = operations.filter(({ requestBody }) => requestBody);
  // receiveProviderMessage is left out: without a configured provider, its body does not matter.
  const testedOperations = operationsWithBody.filter(
    ({ operationId }) => operationId !== 'receiveProviderMessage',
  );
  await world.send(['', 200, 'POST /api/templates/<template>/publish', { version: 1 }]);
  for (const { operationId, method, path, requestBody } of testedOperations) {
    const id = `<${idNames.get(path.split('/')[2] ?? '') ?? 'workspace'}>`;
    const filledPath = path
      .replace('{id}', id)
      .replace('{userId}', '<user>')
      .replace('{version}', '1');
    const { status } = await world.send(['', 200, `${method} ${filledPath}`, undefined, {}]);
    const accepted = [operationId, status < 300];
    expect(accepted).toEqual([operationId, requestBody?.required !== true]);
  }
});

describe('headers', () => {
  const unknownTemplateRoute = 'GET /api/templates/<unknown>';

  it('say how to authenticate, and whether the token was wrong', async () => {
    const bearerChallenge = 'Bearer realm="Galley"';
    const challenges: [headers: Record<string, string>, challenge: string][] = [
      [{ authorization: '' }, bearerChallenge],
      [{ authorization: 'Basic YTpi' }, bearerChallenge],
      [
        { authorization: 'Bearer x' },
        `${bearerChallenge}, error="invalid_token", error_description="The token is not a well-formed JWT."`,
      ],
      [
        { authorization: `Bearer glk_${'x'.repeat(43)}` },
        `${bearerChallenge}, error="invalid_token", error_description="The API key does not exist, or has been revoked."`,
      ],
    ];
    for (const [headers, challenge] of challenges) {
      const response = await world.send(['', 401, unknownTemplateRoute, undefined, headers]);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(challenge);
    }
  });

  const authorizations = [
    '',
    'x',
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Bearer a.b.c',
    'Basic YTpi',
    'Bearer \xff',
    'Bearer e30.e30.',
    'Bearer bnVsbA.e30.x',
    `Bearer ${'a'.repeat(8_000)}`,
  ];
  itRefuses([
    ...authorizations.map((authorization): Case => [
      `that do not authorize: '${authorization.slice(0, 20)}'`,
      ...([401, unknownTemplateRoute, undefined, { authorization }] as const),
    ]),
    [
      'that are too large',
      431,
      unknownTemplateRoute,
      undefined,
      { 'x-filler': 'x'.repeat(100_000) },
    ],
    ['with a large query beside them', 431, `GET /api/templates?search=${'x'.repeat(100_000)}`],
  ]);

  it.each(['x'.repeat(10_000), 'x'.repeat(101), 'a b', 'a;b', '<script>', 'ä', '', '{{7*7}}'])(
    'may contain a request id, but not %j',
    async (id) => {
      const { headers, status } = await world.send([
        '',
        404,
        unknownTemplateRoute,
        undefined,
        { 'x-request-id': id },
      ]);
      expect(status).toBe(404);
      expect(headers.get('x-request-id')).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    },
  );

  it('may contain a request id', async () => {
    const { headers } = await world.send([
      '',
      404,
      unknownTemplateRoute,
      undefined,
      { 'x-request-id': 'trace_1.A-b' },
    ]);
    expect(headers.get('x-request-id')).toBe('trace_1.A-b');
  });
});

describe('an unusual valid value', () => {
  const names = [
    '😀'.repeat(255),
    '𝒳'.repeat(255),
    'x'.repeat(255),
    ` ${'x'.repeat(255)}\n`,
    '👩‍👩‍👧',
    '<b>',
    "'; DROP TABLE users; --",
    '__proto__',
    'constructor',
    'null',
    '\u202e',
  ];
  it.each(names)('is a name: %s', async (name) => {
    for (const { route, valid } of bodyRoutes.filter(
      ({ valid: { name: validName } }) => validName,
    )) {
      const { status, body } = await world.send<{ name: string }>([
        '',
        201,
        route,
        { ...valid, name },
      ]);
      expect([status, body.name]).toEqual([route.startsWith('PUT') ? 200 : 201, name.trim()]);
    }
  });

  it.each([
    ['a constructor', '{"constructor":{"name":"x"},"a":{"constructor":null}}'],
    ['keys that objects inherit', '{"toString":1,"hasOwnProperty":[],"then":{}}'],
    ['keys that look like numbers, in their original order', '{"b":1,"10":2,"2":3,"":4}'],
    ['numbers in their original spelling', '{"a":1.0,"b":1e400,"c":12345678901234567890,"d":-0}'],
    ['characters in escapes', '{"a":"\\ud83d\\ude00\\u00e9\\/"}'],
    ['200 levels with the body', `${'{"a":'.repeat(199)}1${'}'.repeat(199)}`],
    ['white space', '{ "a" :\t[ 1 ,\n2 ] }'],
  ])('is content: %s', async (_title, content) => {
    const body = `{"name":"A","workspaceId":"<workspace>","content":${content}}`;
    for (const kind of ['templates', 'modules']) {
      const created = await world.send<{ id: string }>(['', 201, `POST /api/${kind}`, body]);
      expect(created.status).toBe(201);
      const readResponse = await world.send(['', 200, `GET /api/${kind}/${created.body.id}`]);
      expect(readResponse.text).toContain(`"content":${content}`);
    }
  });

  it('is each valid body that the cases above modify', async () => {
    for (const { route, valid, status: documentedStatus } of bodyRoutes) {
      const { status, text } = await world.send(['', 200, route, valid]);
      const expected = documentedStatus ?? (route.startsWith('PUT') ? 200 : 201);
      expect([route, status, text]).toEqual([route, expected, text]);
    }
  });
});
