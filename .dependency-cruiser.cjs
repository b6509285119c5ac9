// Imports go one way: apps → templates | modules | webhooks → identity → database → events | config.
// Each row lists all that a lib may import of the others.
const MAY_IMPORT = {
  errors: [],
  client: [],
  config: ['errors'],
  encryption: [],
  events: [],
  health: [],
  limits: [],
  'node-version': [],
  queue: ['config'],
  database: ['encryption', 'errors', 'events'],
  identity: ['errors', 'events', 'database'],
  templates: ['errors', 'events', 'database', 'identity'],
  modules: ['errors', 'events', 'database', 'identity'],
  webhooks: ['config', 'encryption', 'errors', 'events', 'database', 'identity'],
};

const libRules = Object.entries(MAY_IMPORT).map(([lib, allowed]) => ({
  name: `${lib}-imports`,
  comment: `libs/${lib} may import ${allowed.join(', ') || 'no other lib'}`,
  severity: 'error',
  from: { path: `^libs/${lib}/` },
  to: { path: '^(libs|apps)/', pathNot: [lib, ...allowed].map((name) => `^libs/${name}/`) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...libRules,
    {
      name: 'apps-apart',
      comment: 'apps never import apps',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'through-the-index',
      comment: 'a lib is entered through its index.ts alone',
      severity: 'error',
      from: { path: '^(?:apps|test|libs/([^/]+))/' },
      to: { path: '^libs/', pathNot: ['^libs/[^/]+/index\\.ts$', '^libs/$1/'] },
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
      name: 'redis-in-queue-and-limits-alone',
      comment: 'the tests cut their connections',
      severity: 'error',
      from: { pathNot: ['^libs/(queue|limits)/', '^test/'] },
      to: { path: 'node_modules/ioredis/' },
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
