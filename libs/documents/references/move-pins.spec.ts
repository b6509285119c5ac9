import { expect, it } from '@jest/globals';
import { JsonText } from '#json';
import { movePins } from './move-pins.js';

const id = '01936f61-2e5a-7c08-9b7f-c4d1e8a03562';
const other = '01936f60-0b7e-7a66-a1d4-93c8f0e27b15';
const to = { moduleId: id, version: 12, createdAt: new Date('2026-11-25T09:00:00Z') };

it.each<[string, (version: number) => string]>([
  ['a pin', (version) => `{"type":"module","moduleId":"${id}","version":${version}}`],
  [
    'a pin before other members',
    (version) => `{"version" : ${version},"type":"module","moduleId":"${id}","n":1.50}`,
  ],
  [
    'a pin with an id in upper case',
    (version) => `{"version":${version},"type":"module","moduleId":"${id.toUpperCase()}"}`,
  ],
])('moves %s, and nothing else', async (_name, reference) => {
  const documentWith = (version: number) =>
    `{"version":3,"blocks":[ {"version":3}, ${reference(version)} ,"3"]}`;
  expect((await movePins(new JsonText(documentWith(3)), to)).text).toBe(documentWith(12));
});

it.each([
  ['follows the latest version', `{"type":"module","moduleId":"${id}"}`],
  ['refers to another module', `{"type":"module","moduleId":"${other}","version":3}`],
  ['is malformed', `{"type":"module","moduleId":"${id}","version":"3"}`],
  ['has two versions', `{"type":"module","version":3,"moduleId":"${id}","version":3}`],
  ['is not a reference', `{"type":"text","moduleId":"${id}","version":3}`],
])('does not change an object that %s', async (_name, object) => {
  const text = `{"blocks":[${object}]}`;
  expect((await movePins(new JsonText(text), to)).text).toBe(text);
});

it('moves asOf as well, whatever the order of the members', async () => {
  const before = (version: string, asOf: string) =>
    `{"blocks":[{"asOf":"${asOf}","type":"module","moduleId":"${id}","version":${version}},{"type":"module","version":${version},"moduleId":"${id}","asOf":"${asOf}"}]}`;
  const moved = await movePins(new JsonText(before('3', '2026-01-01T00:00:00Z')), to);
  expect(moved.text).toBe(before('12', '2026-11-25T09:00:00.000Z'));
});
