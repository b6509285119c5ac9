import { beforeAll, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const nestedComponent = (levels: number): object =>
  levels <= 0 ? { tagName: 'p' } : { type: 'cell', components: [nestedComponent(levels - 2)] };

/** A project of GrapesJS: `styles` is an array, and components are deeply nested. */
const grapesProject = {
  dataSources: [],
  assets: [{ type: 'image', src: 'https://example.com/a.png', width: 0 }],
  styles: [
    { selectors: ['#i4ve'], style: { 'background-color': 'red' } },
    {
      selectors: [],
      selectorsAdd: '.a > .b',
      style: { width: '100%' },
      mediaText: '(max-width:480px)',
    },
  ],
  pages: [{ id: '1', frames: [{ component: nestedComponent(70), id: 'f' }] }],
  symbols: [],
};

const documents: [string, string][] = [
  ['a project of GrapesJS', JSON.stringify(grapesProject)],
  ['styles that are a string', '{"styles":"body { color: red }","stripes":{"first":[1]}}'],
  ['styles and stripes that are null', '{ "styles":null,"stripes" : null, "1":1, "0":1.0 }'],
  ['an empty document', '{}'],
  ['styles that occur twice', '{"styles":{"contentWidth":"wide"},"styles":[7]}'],
];

it.each(documents)(
  '%s is stored, versioned, copied and given back byte for byte',
  async (_title, content) => {
    const fields = `"name":"A","workspaceId":"${workspaceId}","content":${content}`;
    const jsonHeaders = { 'content-type': 'application/json' };
    for (const kind of ['templates', 'modules']) {
      const send = async (method: string, path: string, body?: string) => {
        const response = await ada.raw<{ id: string }>(
          method,
          `/api/${kind}${path}`,
          body,
          body ? jsonHeaders : {},
        );
        expect([method, path, response.status, response.text]).toEqual([
          method,
          path,
          expect.any(Number),
          expect.stringContaining(`"content":${content}`),
        ]);
        return response.body.id;
      };
      const id = await send('POST', '', `{${fields}}`);
      await send('GET', `/${id}`);
      await send('GET', `?workspaceId=${workspaceId}&limit=1`);
      await send('POST', `/${id}/duplicate`);
      await send('PUT', `/${id}`, `{"name":"B","content":${content}}`);
      if (kind === 'templates') await send('GET', `/${id}/versions/2`);
      const operation = `{"action":"update","id":"${id}","content":${content}}`;
      const batch = `{"workspaceId":"${workspaceId}","operations":[${operation}]}`;
      expect((await ada.raw('POST', `/api/${kind}/batch`, batch, jsonHeaders)).status).toBe(200);
      await send('GET', `/${id}`);
    }
  },
);

it('a field that has the type of the specification is still checked', async () => {
  for (const content of [
    { styles: { contentWidth: '600' } },
    { styles: { backgroundColor: 'red' } },
    { stripes: [{}, 'x'] },
  ]) {
    const { status } = await ada.post('/api/templates', { name: 'A', workspaceId, content });
    expect([content, status]).toEqual([content, 400]);
  }
});
