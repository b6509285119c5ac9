const badNames = [
  null,
  7,
  true,
  ['a'],
  { a: 1 },
  '',
  ' \t\n',
  '\u3000',
  'x'.repeat(256),
  '😀'.repeat(256),
];
const badTexts = (max: number) => [null, 7, ['a'], {}, 'x'.repeat(max + 1)];
const badIds = [null, 7, ['<workspace>'], {}];
const badContents = [
  null,
  7,
  'text',
  true,
  [],
  { styles: { contentWidth: '600' } },
  { styles: { contentWidth: null } },
  ...['red', '#12', '#12345', '#1234567', '#ggg', ' #fff', '#fff\n', 7, null].map(
    (backgroundColor) => ({ styles: { backgroundColor } }),
  ),
  { styles: { fontFamily: 7 } },
  { styles: { fontFamily: ['Arial'] } },
  { stripes: [{}, 7] },
  { stripes: [null] },
  { stripes: [[]] },
];
const badEvents = [
  null,
  'template.created',
  {},
  [],
  ['template.renamed'],
  ['template.created', 7],
  ['template.created', 'template.created'],
  [null],
  [['template.created']],
];
const badUrls = [
  null,
  7,
  ['https://a.example'],
  '',
  'a.example',
  '//a.example',
  '/x',
  'ftp://a.example',
  'javascript:alert(1)',
  'https://',
  'https://user@a.example',
  'https://u:p@a.example',
  'https://a.example/#part',
  `https://a.example/${'x'.repeat(2000)}`,
  'file:///etc/passwd',
];
const badRoles = [null, 7, '', 'king', 'Owner', ['viewer'], 'constructor'];

const content = { styles: {}, stripes: [] };
const url = 'https://example.com/hook';
const events = ['template.created'];

const badOperations = [null, 7, 'x', {}, [], Array(1_001).fill({ action: 'create', name: 'A' })];

interface BodyRoute {
  route: string;
  /** A body that the route accepts. */
  valid: Record<string, unknown>;
  required: string[];
  /** Invalid values for each field. */
  wrong: Record<string, unknown[]>;
  /** The status of a successful response, if it is not the usual status for the method. */
  status?: number;
  /** Whether the route accepts larger bodies than others. */
  takesLarge?: boolean;
}

const batch = { status: 200, takesLarge: true };

/** Every route with a body. If all valid bodies are sent in this order, the API accepts each of them. */
export const bodyRoutes: BodyRoute[] = [
  {
    route: 'POST /api/templates',
    valid: { name: 'A', workspaceId: '<workspace>', content },
    required: ['name', 'workspaceId'],
    wrong: { name: badNames, workspaceId: badIds, content: badContents },
  },
  {
    route: 'PUT /api/templates/<template>',
    valid: { name: 'B', content },
    required: [],
    wrong: { name: badNames, content: badContents },
  },
  {
    route: 'POST /api/modules',
    valid: {
      name: 'A',
      workspaceId: '<workspace>',
      content,
      category: 'c',
      description: 'd',
    },
    required: ['name', 'workspaceId', 'content'],
    wrong: {
      name: badNames,
      workspaceId: badIds,
      content: badContents,
      category: badTexts(100),
      description: badTexts(2_000),
    },
  },
  {
    route: 'PUT /api/modules/<module>',
    valid: { name: 'B', content, category: 'c', description: 'd' },
    required: [],
    wrong: {
      name: badNames,
      content: badContents,
      category: badTexts(100),
      description: badTexts(2_000),
    },
  },
  {
    route: 'POST /api/templates/<template>/duplicate',
    valid: { name: 'C', workspaceId: '<workspace>' },
    required: [],
    wrong: { name: badNames, workspaceId: badIds },
  },
  {
    route: 'POST /api/modules/<module>/duplicate',
    valid: { name: 'C', workspaceId: '<workspace>' },
    required: [],
    wrong: { name: badNames, workspaceId: badIds },
  },
  {
    route: 'POST /api/templates/batch',
    valid: { workspaceId: '<workspace>', operations: [{ action: 'create', name: 'D' }] },
    required: ['workspaceId', 'operations'],
    wrong: { workspaceId: badIds, operations: badOperations },
    ...batch,
  },
  {
    route: 'POST /api/modules/batch',
    valid: { workspaceId: '<workspace>', operations: [{ action: 'create', name: 'D', content }] },
    required: ['workspaceId', 'operations'],
    wrong: { workspaceId: badIds, operations: badOperations },
    ...batch,
  },
  {
    route: 'POST /api/workspaces',
    valid: { name: 'A' },
    required: ['name'],
    wrong: { name: badNames },
  },
  {
    route: 'PUT /api/workspaces/<workspace>',
    valid: { name: 'B' },
    required: ['name'],
    wrong: { name: badNames },
  },
  {
    route: 'POST /api/workspaces/<workspace>/members',
    valid: { userId: '<user>', role: 'viewer' },
    required: ['userId', 'role'],
    wrong: { userId: badIds, role: badRoles },
  },
  {
    route: 'PUT /api/workspaces/<workspace>/members/<user>',
    valid: { role: 'editor' },
    required: ['role'],
    wrong: { role: badRoles },
  },
  {
    route: 'POST /api/webhooks',
    valid: { workspaceId: '<workspace>', url, events, description: 'd' },
    required: ['workspaceId', 'url', 'events'],
    wrong: {
      workspaceId: badIds,
      url: badUrls,
      events: badEvents,
      description: badTexts(2_000),
    },
  },
  {
    route: 'PUT /api/webhooks/<webhook>',
    valid: { url, events, description: 'd', status: 'disabled' },
    required: [],
    wrong: {
      url: badUrls,
      events: badEvents,
      description: badTexts(2_000),
      status: [null, 7, '', 'paused', ['active']],
    },
  },
];
