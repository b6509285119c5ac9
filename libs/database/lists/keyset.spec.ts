import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Encryption, KeyRing } from '#encryption';
import { Keysets, NEWEST_ID, type Keyset } from './keyset.js';

function activeKeyRing(...keys: Buffer[]): KeyRing {
  const ring = new KeyRing(keys);
  ring.activate(ring.ids[0]);
  return ring;
}

const key = randomBytes(32);
const keysets = new Keysets(new Encryption(activeKeyRing(key)));
const rows = [3, 2, 1].map((number) => ({
  id: `00000000-0000-7000-8000-00000000000${number}`,
  updatedAt: new Date(number),
}));
type Row = (typeof rows)[number];
const positionOf = ({ updatedAt, id }: Row) => [updatedAt, id];
const keyset = keysets.forList(['templates', 'workspace']);
const cursorOf = (list: Keyset) => list.page(rows, 1, positionOf).nextCursor ?? '';

describe('a page', () => {
  it('begins at the start of the list if the request has no cursor', () => {
    const maxUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    expect(keyset.after(undefined)).toEqual(['infinity', maxUuid]);
    expect(keysets.forList(['deliveries'], NEWEST_ID).after(undefined)).toEqual([maxUuid]);
  });

  it('has a cursor for its last position while there are more rows', () => {
    const { data, nextCursor } = keyset.page(rows, 2, positionOf);
    expect(data).toEqual(rows.slice(0, 2));
    expect(keyset.after(nextCursor ?? '')).toEqual(['1970-01-01T00:00:00.002Z', rows[1]?.id]);
  });

  it('has no cursor if it is the last page', () => {
    expect(keyset.page(rows, 3, positionOf)).toEqual({ data: rows, nextCursor: null });
    expect(keyset.page([], 3, positionOf)).toEqual({ data: [], nextCursor: null });
  });
});

it('a page ends before the first document that would make it too large', () => {
  const documents = rows.map((row, index) => ({ ...row, content: index === 1 ? null : '{}' }));
  const { data, nextCursor } = keyset.page(documents, 3, positionOf);
  expect(data).toEqual(documents.slice(0, 1));
  expect(keyset.after(nextCursor ?? '')).toEqual(['1970-01-01T00:00:00.003Z', rows[0]?.id]);
});

describe('a cursor', () => {
  const cursor = cursorOf(keyset);
  const refuses = (input: string) => {
    expect(() => keyset.after(input)).toThrow('cursor must be the nextCursor of the same list');
  };
  const isAccepted = (input: string) => {
    try {
      return Boolean(keyset.after(input));
    } catch {
      return false;
    }
  };

  it('needs no escaping in a URL, reveals nothing, and is different each time', () => {
    expect(cursor).toBe(encodeURIComponent(cursor));
    expect(cursor).not.toBe(cursorOf(keyset));
  });

  it('is refused if any character is changed', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/= ~\n\0é';
    const changed = Array.from(cursor).flatMap((old, index) =>
      Array.from(
        alphabet.replace(old, ''),
        (character) => cursor.slice(0, index) + character + cursor.slice(index + 1),
      ),
    );
    expect(changed.filter(isAccepted)).toEqual([]);
    expect(isAccepted(cursor)).toBe(true);
  });

  it('is refused if it is shorter, longer or spelled differently', () => {
    const parts = Array.from(cursor).flatMap((_character, index) => [
      cursor.slice(0, index),
      cursor.slice(0, index) + cursor.slice(index + 1),
    ]);
    expect(parts.filter(isAccepted)).toEqual([]);
    for (const more of ['A', '=', '.', '.A', ' ', '\n', cursor]) refuses(cursor + more);
  });

  it('is refused in another encoding', () => {
    // Base64 differs from base64url only in its padding, which depends on the length, and in `+` and `/`.
    for (let length = 0; length < 100; length++) {
      const [keyId = '', sealed = ''] = keyset.cursorAt(['x'.repeat(length)]).split('.');
      const bytes = Buffer.from(sealed, 'base64url');
      for (const encoded of [bytes.toString('hex'), bytes.toString('base64')]) {
        if (encoded !== sealed) refuses(`${keyId}.${encoded}`);
      }
    }
  });

  it.each([
    ['of another list', cursorOf(keysets.forList(['modules', 'workspace']))],
    ['of another workspace', cursorOf(keysets.forList(['templates', 'other']))],
    ['with another filter', cursorOf(keysets.forList(['templates', 'workspace', 'search']))],
    [
      'of another installation',
      cursorOf(
        new Keysets(new Encryption(activeKeyRing(randomBytes(32)))).forList([
          'templates',
          'workspace',
        ]),
      ),
    ],
    [
      'that is a secret with the same context',
      new Encryption(activeKeyRing(key)).encrypt('[]', '["templates","workspace"]'),
    ],
    ['that is forged', 'bm9uc2Vuc2U'],
    ['in plain text', '["1970-01-01T00:00:00.002Z","00000000-0000-7000-8000-000000000002"]'],
    ['that is empty', ''],
  ])('%s is refused', (_what, input) => refuses(input));

  it('from before a key rotation is decrypted with the old key', () => {
    const later = new Keysets(new Encryption(activeKeyRing(randomBytes(32), key)));
    expect(later.forList(['templates', 'workspace']).after(cursor)).toEqual(keyset.after(cursor));
  });
});
