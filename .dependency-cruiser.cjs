// Imports go one way: apps → rendering → publishing → documents → workspaces, apps → transfer → documents, apps → webhooks → workspaces → database → events.
// Each row lists all that a lib may import of the others.
const MAY_IMPORT = {
  errors: [],
  client: [],
  config: ['errors', 'redis', 'signals'],
  encryption: ['errors'],
  events: [],
  'fair-queue': ['errors'],
  health: [],
  'key-rotation': ['config', 'database', 'encryption', 'shutdown'],
  limits: ['redis'],
  metrics: ['config', 'database', 'errors', 'health'],
  'fleet-observer': [
    'config',
    'database',
    'documents',
    'key-rotation',
    'metrics',
    'queue',
    'shutdown',
    'webhooks',
  ],
  loops: ['config', 'database', 'errors', 'metrics'],
  'node-version': [],
  shutdown: [],
  signals: [],
  queue: ['config', 'redis', 'shutdown'],
  redis: [],
  tracing: ['config'],
  database: ['encryption', 'errors', 'events', 'redis', 'shutdown', 'tracing'],
  workspaces: ['errors', 'database'],
  identity: ['errors', 'database', 'workspaces'],
  'time-slices': [],
  json: ['time-slices'],
  documents: [
    'errors',
    'events',
    'json',
    'long-jobs',
    'time-slices',
    'tracing',
    'database',
    'workspaces',
  ],
  publishing: [
    'errors',
    'events',
    'json',
    'long-jobs',
    'tracing',
    'database',
    'workspaces',
    'documents',
  ],
  rendering: [
    'database',
    'errors',
    'fair-queue',
    'json',
    'time-slices',
    'workspaces',
    'documents',
    'publishing',
  ],
  transfer: ['database', 'errors', 'json', 'workspaces', 'documents'],
  'long-jobs': [],
  webhooks: [
    'config',
    'encryption',
    'errors',
    'events',
    'key-rotation',
    'long-jobs',
    'loops',
    'metrics',
    'queue',
    'tracing',
    'database',
    'workspaces',
  ],
};

const libRules = Object.entries(MAY_IMPORT).map(([lib, allowed]) => ({
  name: `${lib}-imports`,
  comment: `libs/${lib} may import ${allowed.join(', ') || 'no other lib'}`,
  severity: 'error',
  from: { path: `^libs/${lib}/` },
  to: { path: '^(libs|apps)/', pathNot: [lib, ...allowed].map((name) => `^libs/${name}/`) },
}));

// In libs/webhooks each folder may import the ones before it.
const WEBHOOKS_WINGS = [
  'sending',
  'traffic',
  'statistics',
  'delivery',
  'endpoints',
  'pipeline',
  'history',
  'observation',
];

const wingRules = WEBHOOKS_WINGS.map((wing, index) => ({
  name: `webhooks-${wing}-imports`,
  comment: `libs/webhooks/${wing} may import ${WEBHOOKS_WINGS.slice(0, index).join(', ') || 'no other folder'}`,
  severity: 'error',
  from: { path: `^libs/webhooks/${wing}/` },
  to: { path: `^libs/webhooks/(${WEBHOOKS_WINGS.slice(index + 1).join('|') || '(?!)'})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...libRules,
    ...wingRules,
    {
      name: 'apps-apart',
      comment: 'apps never import apps',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'settings-use-the-client-alone',
      comment: 'the settings area is a client of the public API like any other',
      severity: 'error',
      from: { path: '^apps/settings/' },
      to: { path: '^libs/', pathNot: '^libs/client/' },
    },
    {
      name: 'through-the-index',
      comment: 'a lib is entered through its index.ts alone',
      severity: 'error',
      from: { path: '^(?:apps|test|libs/([^/]+))/' },
      to: {
        path: '^libs/',
        pathNot: [
          '^libs/[^/]+/index\\.ts$',
          '^libs/$1/',
          // Threads enter these files, and so does the benchmark.
          '^libs/rendering/(?:drawing/compile|checks/check)\\.ts$',
        ],
      },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { path: '^(apps|libs)/' },
      to: { path: '^test/' },
    },
    {
      name: 'bullmq-in-queue-alone',
      comment: 'the benchmark measures Galley beside bare BullMQ',
      severity: 'error',
      from: { pathNot: ['^libs/queue/', '^test/'] },
      to: { path: 'node_modules/bullmq/' },
    },
    {
      name: 'ioredis-in-redis-alone',
      comment: 'scripts have types, and the tests cut connections',
      severity: 'error',
      from: { pathNot: ['^libs/(redis|limits|database/replica)/', '^test/'] },
      to: { path: 'node_modules/ioredis/' },
    },
    {
      name: 'prom-client-in-metrics-alone',
      severity: 'error',
      from: { pathNot: '^libs/metrics/' },
      to: { path: 'node_modules/prom-client/' },
    },
    {
      name: 'no-sql-and-no-queue-in-controllers',
      comment: 'the API calls services; it knows no database driver',
      severity: 'error',
      from: { path: '^apps/api/' },
      to: { path: 'node_modules/(pg|typeorm)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      // What is generated is not ours to arrange.
      from: { pathNot: '^libs/client/generated/' },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'an import that is not found could not be judged',
      severity: 'error',
      from: {},
      // What is built is there only once it is built.
      to: { couldNotResolve: true, pathNot: '/dist/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'require', 'node', 'default', 'types'],
    },
  },
};
