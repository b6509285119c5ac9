import type { Case } from './refusals.js';

const lists: Record<string, string> = {
  templates: 'GET /api/templates?workspaceId=<workspace>&',
  modules: 'GET /api/modules?workspaceId=<workspace>&',
  webhooks: 'GET /api/webhooks?workspaceId=<workspace>&',
  workspaces: 'GET /api/workspaces?',
  members: 'GET /api/workspaces/<workspace>/members?',
  versions: 'GET /api/templates/<template>/versions?',
};
const inEveryList = [
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1.5',
  'limit=abc',
  'limit=',
  'limit=1&limit=2',
  'limit=Infinity',
  'limit=NaN',
  'limit=1e99',
  'cursor=',
  'cursor=garbage',
  'cursor=%00',
  'cursor=<cursor>A',
  'cursor=<plainCursor>',
  'cursor=a&cursor=b',
  'cursor=<webhook>',
  'sort=id',
  'offset=1',
  'constructor=x',
  'toString=x',
];
const badSorts = [
  'sort=',
  'sort=Name',
  'sort=%2Bname',
  'sort=--name',
  'sort=updated_at',
  'sort=constructor',
  'sort=name&sort=name',
  'sort=name,id',
  'sort=name;DROP',
  'sort=name%00',
  'updatedSince=',
  'updatedSince=x',
  'updatedSince=1763683211000',
  'updatedSince=2026-11-21',
  'updatedSince=2026-02-30T00:00:00Z',
  'updatedSince=2026-11-21T09:30:00',
  'updatedSince=1999-01-01T00:00:00Z',
  'updatedSince=infinity',
  'updatedSince=2026-11-21T09:30:00Z&updatedSince=2026-11-21T09:30:00Z',
];
const badFlags = ['maybe', '', '1', 'TRUE', 'true&content=true'];
const inSomeLists: Record<string, string[]> = {
  templates: [
    'cursor=<moduleCursor>',
    'cursor=<versionCursor>',
    'cursor=<elsewhereCursor>',
    'cursor=<searchCursor>',
    'search=o&cursor=<cursor>',
    'search=x&cursor=<searchCursor>',
    'sort=name&cursor=<cursor>',
    'sort=-name&cursor=<sortCursor>',
    'cursor=<sortCursor>',
    'updatedSince=2026-01-01T00:00:00Z&cursor=<cursor>',
    ...badSorts,
    'search=%00',
    'search=a&search=b',
    `search=${'x'.repeat(256)}`,
    'category=x',
    ...badFlags.map((flag) => `content=${flag}`),
  ],
  modules: [
    'sort=name&cursor=<moduleCursor>',
    ...badSorts,
    'cursor=<cursor>',
    'category=x&cursor=<moduleCursor>',
    'search=%00',
    'search=a&search=b',
    `search=${'x'.repeat(256)}`,
    'category=%00',
    'category=a&category=b',
    `category=${'x'.repeat(101)}`,
    ...badFlags.map((flag) => `content=${flag}`),
  ],
  webhooks: ['cursor=<cursor>', 'search=x', 'content=true', 'sort=name'],
  workspaces: ['cursor=<cursor>', 'search=x', 'sort=name'],
  members: ['cursor=<cursor>', 'role=viewer', 'sort=name'],
  versions: ['cursor=<cursor>', 'sort=name', ...badFlags.map((flag) => `content=${flag}`)],
};

export const badQueries: Case[] = [
  ...Object.entries(lists).flatMap(([list, path]) =>
    [...inEveryList, ...(inSomeLists[list] ?? [])].map((query): Case => [
      `${list} with ${query.slice(0, 60)}`,
      400,
      path + query,
    ]),
  ),
  ...['templates', 'modules', 'webhooks'].flatMap((list): Case[] => [
    [`${list} of no workspace`, 400, `GET /api/${list}`],
    [`${list} of two`, 400, `GET /api/${list}?workspaceId=<workspace>&workspaceId=<elsewhere>`],
    ...['', 'x', '<unknown>', '<template>', '%00', '<workspace>x'].map((id): Case => [
      `${list} of workspace '${id}'`,
      404,
      `GET /api/${list}?workspaceId=${id}`,
    ]),
  ]),
];

// The bodies are valid, so that only the URL can be the reason for a refusal.
const rename = { name: 'New' };
const member = { userId: '<user>', role: 'viewer' };
const operations: [string, string, string, object?][] = [
  ...['templates', 'modules', 'webhooks', 'workspaces'].flatMap(
    (kind): [string, string, string, object?][] => [
      [kind, 'GET', ''],
      [kind, 'PUT', '', kind === 'webhooks' ? { description: 'New' } : rename],
      [kind, 'DELETE', ''],
    ],
  ),
  ['templates', 'POST', '/duplicate'],
  ['modules', 'POST', '/duplicate'],
  ['templates', 'GET', '/versions'],
  ['workspaces', 'GET', '/members'],
  ['workspaces', 'POST', '/members', member],
];
const ownIds: Record<string, string> = {
  templates: '<template>',
  modules: '<module>',
  webhooks: '<webhook>',
  workspaces: '<workspace>',
};
const noIds = [
  '<unknown>',
  '<user>',
  '1',
  '%00',
  '<unknown>%00',
  'x'.repeat(99),
  'x'.repeat(2_000),
  '__proto__',
  "'%20OR%201=1--",
  '%F0%9F%98%80',
  '..%2Fmodules',
  '{<unknown>}',
  'null',
];
// These are not valid percent-encoding, or not valid UTF-8.
const noText = ['%ED%A0%80', '%zz', '%', '%C3'];
const noVersions = [
  '0',
  '-1',
  '1.5',
  'abc',
  '50',
  '999999999',
  '99999999999',
  '%00',
  '1e0',
  '01',
  '%201',
];

export const badPaths: Case[] = [
  ...operations.flatMap(([kind, method, suffix, body]) => {
    const idsOfOthers = Object.values(ownIds).filter((id) => id !== ownIds[kind]);
    const to = (status: number, id: string): Case => [
      `${method} /api/${kind}/${id.slice(0, 40)}${suffix}`,
      ...([status, `${method} /api/${kind}/${id}${suffix}`, body] as const),
    ];
    return [
      ...[...noIds, ...idsOfOthers].map((id) => to(404, id)),
      ...noText.map((id) => to(400, id)),
    ];
  }),
  ...noVersions.flatMap((version): Case[] => {
    const path = `/api/templates/<template>/versions/${version}`;
    return [
      [`version ${version}`, 404, `GET ${path}`],
      [`the restoration of ${version}`, 404, `POST ${path}/restore`],
    ];
  }),
  ...['<unknown>', 'x', '%00', '<template>', '<user>'].flatMap((id): Case[] => {
    const path = `/api/workspaces/<workspace>/members/${id}`;
    return [
      [`a role for ${id}`, 404, `PUT ${path}`, { role: 'viewer' }],
      [`the removal of ${id}`, 404, `DELETE ${path}`],
    ];
  }),
  ...[
    'POST /',
    'GET /api',
    'GET /api/nothing',
    'GET /api/templates/<template>/nothing',
    'GET /api/Templates',
    'GET /api//templates',
    'PATCH /api/templates/<template>',
    'PUT /api/templates',
    'DELETE /api/workspaces',
    'POST /api/modules/<module>',
    'PUT /api/auth/me',
    'GET /api/auth/webhook',
    'POST /health/live',
  ].map((route): Case => [`the unknown route ${route}`, 404, route]),
  ...['<unknown>', 'x', '<template>', ''].flatMap((workspaceId): Case[] => {
    const routes: [string, object][] = [
      ['POST /api/templates', { name: 'A', workspaceId }],
      ['POST /api/modules', { name: 'A', workspaceId, content: {} }],
      ['POST /api/webhooks', { workspaceId, url: 'https://a.example', events: ['module.updated'] }],
      ['POST /api/templates/<template>/duplicate', { workspaceId }],
      ['POST /api/modules/<module>/duplicate', { workspaceId }],
      ['POST /api/workspaces/<workspace>/members', { userId: workspaceId, role: 'viewer' }],
    ];
    return routes.map(([route, body]) => [`${route} into '${workspaceId}'`, 404, route, body]);
  }),
];
