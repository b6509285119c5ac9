import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { pictureForm, randomPicture } from '../../support/pictures.js';

interface Refusal {
  code: string;
  message: string;
}

let galley: Galley;
let ada: Client;
let path: string;
let token: string;

beforeAll(async () => {
  galley = await startGalley({ pictures: true, environment: { MAX_ASSET_BYTES: '65536' } });
  ada = await galley.clientFor('ada');
  token = await galley.issuer.token('ada');
  path = `/api/assets?workspaceId=${(await galley.createWorkspaceFor('ada')).id}`;
});
afterAll(() => galley.stop());

const BOUNDARY = 'x-galley-x';
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

const part = (name: string, content: string, fileName?: string) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${
    fileName === undefined ? '' : `; filename="${fileName}"`
  }\r\n\r\n${content}\r\n`;
const END = `--${BOUNDARY}--\r\n`;

const uploadsInProgress = () =>
  readdir(join(galley.environment['ASSETS_STORAGE'] ?? '', 'uploads'));

/** No request, however it ends, leaves a file behind. */
const expectNoUploads = () =>
  eventually('no uploads in progress', async () => (await uploadsInProgress()).length === 0);

const picture = randomPicture().toString('latin1');

describe('a form that is refused', () => {
  const cases: [title: string, status: number, body: string, message: string][] = [
    ['empty', 400, '', 'not valid multipart/form-data'],
    ['no parts', 400, END, 'file is missing'],
    ['no file', 400, part('name', 'A') + END, 'file is missing'],
    ['a file as a text', 400, part('file', 'A') + END, 'file'],
    ['a text, not a picture', 400, part('file', 'hello', 'a.png') + END, 'must be a PNG'],
    [
      'a file of another name',
      400,
      part('picture', 'x', 'a.png') + END,
      'picture must be one file',
    ],
    ['two files', 400, part('file', 'x', 'a') + part('file', 'y', 'b') + END, 'too many parts'],
    ['an unknown field', 400, part('x', '1') + part('file', 'x', 'a') + END, 'x is not a field'],
    ['a long field', 400, part('name', 'x'.repeat(3_000)) + END, 'name is too long'],
    [
      'a name twice',
      400,
      part('name', 'a') + part('name', 'b') + part('file', 'x', 'a') + END,
      'more than once',
    ],
    ['many fields', 400, part('tags', 'x').repeat(40) + END, 'too many parts'],
    ['an end that is missing', 400, part('file', 'x', 'a'), 'not valid multipart/form-data'],
    [
      'a file that is too large',
      413,
      part('file', 'x'.repeat(70_000), 'a') + END,
      'the limit is 65536 bytes',
    ],
    ['a body that is too large', 413, part('file', 'x'.repeat(200_000), 'a') + END, 'too large'],
  ];

  it.each(cases)('%s', async (_title, status, body, message) => {
    const response = await ada.raw<Refusal>('POST', path, body, FORM);
    expect([response.status, response.body.message]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
    await expectNoUploads();
  });

  it('has another type, no boundary, or is compressed', async () => {
    const body = part('file', picture, 'a.png') + END;
    const types: [Record<string, string>, number][] = [
      [{ 'content-type': 'application/json' }, 415],
      [{ 'content-type': 'image/png' }, 415],
      [{ ...FORM, 'content-encoding': 'gzip' }, 415],
      [{ 'content-type': 'multipart/form-data' }, 400],
    ];
    for (const [headers, status] of types) {
      const response = await ada.raw<Refusal>('POST', path, body, headers);
      expect([headers, response.status]).toEqual([headers, status]);
    }
    expect((await ada.raw('POST', '/api/templates', body, FORM)).status).toBe(415);
  });
});

it('an outsider gets 403 before the body is read', async () => {
  const eve = await galley.clientFor('eve');
  expect((await eve.raw('POST', path, pictureForm())).status).toBe(403);
});

/** Sends the head of an upload and a part of its body over a socket. */
function sendPart(headers: string, body: string) {
  const { port, hostname } = new URL(galley.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: galley\r\nauthorization: Bearer ${token}\r\ncontent-type: ${FORM['content-type']}\r\n${headers}\r\n\r\n${body}`,
  );
  return socket;
}

it('a client that hangs up in the middle leaves no file', async () => {
  const socket = sendPart('content-length: 60000', part('file', 'x'.repeat(20_000), 'a.png'));
  await eventually('the upload', async () => (await uploadsInProgress()).length === 1);
  socket.destroy();
  await expectNoUploads();
});

it('a body without an end is refused at the limit', async () => {
  const socket = sendPart('connection: close\r\ntransfer-encoding: chunked', '');
  socket.on('error', () => undefined);
  const response = text(socket);
  const chunk = 'x'.repeat(16_384);
  const begin = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`;
  socket.write(`${begin.length.toString(16)}\r\n${begin}\r\n`);
  for (let count = 0; count < 12; count++) {
    socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  socket.write('0\r\n\r\n');
  expect(await response).toContain('413 Payload Too Large');
  await expectNoUploads();
});

it('a connection stays usable after a refused upload', async () => {
  for (let round = 0; round < 3; round++) {
    const form = pictureForm({}, Buffer.alloc(70_000));
    expect((await ada.raw('POST', path, form)).status).toBe(413);
    expect((await ada.raw('POST', path, pictureForm())).status).toBe(201);
  }
  await expectNoUploads();
});

it('many uploads at once of one user all arrive', async () => {
  const responses = await Promise.all(
    Array.from({ length: 40 }, () => ada.raw('POST', path, pictureForm({}, randomPicture(40)))),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(40).fill(201));
  await expectNoUploads();
});
