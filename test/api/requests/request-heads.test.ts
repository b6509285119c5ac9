import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { RawConnection } from '../../support/requests/raw-connection.js';

const galley = useSharedGalley();
let authorization: string;
let workspaceId: string;

beforeAll(async () => {
  authorization = `authorization: Bearer ${await galley.tokenOf('ada')}`;
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const JSON_TYPE = 'content-type: application/json';

/**
 * Sends one request, and returns the response. Does not ask the server to close the connection: then the response can get
 * lost, if the server closes while the body still arrives.
 */
async function send(lines: string[], body = ''): Promise<RawConnection> {
  const connection = await RawConnection.open(galley.url);
  connection.send(lines, body);
  await eventually('the response', () => /\r\n\r\n\{.*\}$/s.test(connection.text));
  connection.close();
  return connection;
}

const parseError = (text: string) =>
  JSON.parse(text.slice(text.lastIndexOf('{"statusCode"'))) as { statusCode: number; code: string };

describe('an unknown path', () => {
  it.each([
    ['invalid JSON', [JSON_TYPE], '{"name":'],
    ['another media type', ['content-type: text/plain'], 'name=A'],
    ['a body that is too large', [JSON_TYPE], `"${'x'.repeat(2 * 1024 * 1024)}"`],
    ['a compressed body', [JSON_TYPE, 'content-encoding: gzip'], 'x'],
    ['nothing', [], ''],
  ])('is 404, also with a body of %s', async (_title, headers, body) => {
    for (const path of ['/api/nothing', '/nothing', '/api/templates/a/b/c']) {
      const head = [`POST ${path} HTTP/1.1`, ...headers, `content-length: ${body.length}`];
      const { text } = await send(head, body);
      expect(parseError(text)).toMatchObject({ statusCode: 404, code: 'not_found' });
    }
  });
});

it.each(['gzip, chunked', 'gzip,chunked', 'deflate, chunked', 'chunked, chunked'])(
  'Transfer-Encoding: %s is refused',
  async (coding) => {
    for (const path of ['/api/templates', '/api/auth/webhook']) {
      const head = [`POST ${path} HTTP/1.1`, JSON_TYPE, authorization];
      const { text } = await send(
        [...head, `transfer-encoding: ${coding}`],
        '2\r\n{}\r\n0\r\n\r\n',
      );
      expect(parseError(text)).toMatchObject({ statusCode: 400, code: 'invalid' });
    }
  },
);

describe('Expect', () => {
  const templateBody = (content: string) =>
    `{"name":"A","workspaceId":"${workspaceId}","content":${content}}`;
  const headOf = (body: string, expectation: string, ...others: string[]) => [
    'POST /api/templates HTTP/1.1',
    JSON_TYPE,
    `content-length: ${body.length}`,
    `expect: ${expectation}`,
    ...others,
  ];

  it.each([[[]], [['authorization: Bearer x']]])(
    '100-continue is 401 at once without a token, and the connection ends',
    async (others) => {
      const connection = await RawConnection.open(galley.url);
      connection.send(headOf(templateBody('{}'), '100-continue', ...others));
      await eventually('the end', () => connection.isClosed);
      expect(connection.statuses).toEqual([401]);
      expect(connection.text).toMatch(/^connection: close\r$/im);
    },
  );

  it('100-continue is 404 at once for an unknown path', async () => {
    const connection = await RawConnection.open(galley.url);
    const [, ...headers] = headOf('{}', '100-continue', authorization);
    connection.send(['POST /api/nothing HTTP/1.1', ...headers]);
    await eventually('the end', () => connection.isClosed);
    expect(connection.statuses).toEqual([404]);
  });

  it('100-continue gets its 100 once the caller is admitted, and a response to the body', async () => {
    const connection = await RawConnection.open(galley.url);
    for (const expectation of ['100-continue', '100-Continue']) {
      connection.text = '';
      const body = templateBody(`{"a":"${'x'.repeat(500_000)}"}`);
      connection.send(headOf(body, expectation, authorization));
      expect(await connection.responses(1)).toEqual([100]);
      connection.socket.write(body);
      expect(await connection.responses(2)).toEqual([100, 201]);
      await eventually('the rest of the response', () => connection.text.endsWith('}'));
    }
    connection.close();
  });

  it.each(['200-ok', '100-continue, x', 'x=y', '""'])('%s is 417 in JSON', async (expectation) => {
    const { statuses, text } = await send(headOf('{}', expectation, authorization), '{}');
    expect(statuses).toEqual([417]);
    expect(parseError(text)).toMatchObject({ statusCode: 417, code: 'expectation_failed' });
    expect(text).toMatch(/^x-request-id: /m);
  });
});

it('any number of requests may be pipelined, and the responses come in the same order', async () => {
  const connection = await RawConnection.open(galley.url);
  const names = Array.from({ length: 300 }, (_, index) => `name ${index}`);
  // More bytes than one read of the socket returns, so that some reads end in the middle of a head or a body.
  const text = 'x'.repeat(3_000);
  for (const name of names) {
    const body = JSON.stringify({ name, workspaceId, content: { text } });
    const length = `content-length: ${body.length}`;
    connection.send(['POST /api/modules HTTP/1.1', JSON_TYPE, authorization, length], body);
  }
  await eventually('the last response', () => connection.text.includes('"name 299"'));
  expect(connection.statuses).toEqual(names.map(() => 201));
  const receivedNames = Array.from(
    connection.text.matchAll(/"name":"([^"]*)"/g),
    ([, name]) => name,
  );
  expect(receivedNames).toEqual(names);
  connection.close();
});
