/** Who may import whom: between the packages, and between the rooms (folders) of core. */
const core = '^packages/core/src/';
const isTest = '\\.test\\.ts$';

/** The rooms of core, and the rooms that each may know. The order is the rule: an arrow never points to a later row. */
const rooms = {
  records: [],
  telemetry: [],
  ports: ['records'],
  options: ['records'],
  policy: ['records', 'ports', 'options'],
  ledger: ['records', 'ports'],
  credentials: ['records', 'ports'],
  transactions: ['records', 'ports', 'telemetry'],
  transparency: ['records', 'ports', 'credentials', 'transactions'],
  defaults: ['records', 'ports', 'options'],
  memory: ['records', 'ports', 'options', 'defaults'],
  access: ['records', 'ports', 'policy'],
  comparison: ['records', 'policy', 'access'],
  'block-api': ['records', 'ports', 'options', 'policy', 'access'],
  'block-kit': ['records', 'policy', 'access', 'block-api'],
  blocks: ['records', 'options', 'policy', 'access', 'block-api', 'block-kit'],
  catalog: ['records', 'ports', 'policy', 'ledger', 'transactions', 'access', 'block-api'],
  context: ['records', 'ports', 'policy', 'ledger', 'credentials', 'transactions', 'access', 'block-api', 'catalog'],
  runtime: [
    'records',
    'ports',
    'options',
    'telemetry',
    'policy',
    'transactions',
    'access',
    'block-api',
    'block-kit',
    'catalog',
    'context',
  ],
  events: ['records', 'ports', 'policy', 'transactions', 'access', 'catalog'],
  background: [
    'records',
    'ports',
    'telemetry',
    'policy',
    'credentials',
    'transactions',
    'block-api',
    'catalog',
    'context',
  ],
  webhooks: ['records', 'ports', 'telemetry', 'transactions', 'events', 'background'],
  witness: ['records', 'ports', 'ledger', 'transactions', 'transparency', 'access', 'catalog', 'runtime', 'background'],
  trials: ['records', 'ports', 'transactions', 'access', 'catalog', 'context', 'runtime'],
  lifecycle: [
    'records',
    'ports',
    'options',
    'policy',
    'transactions',
    'access',
    'block-kit',
    'comparison',
    'catalog',
    'context',
    'runtime',
    'background',
  ],
  editing: [
    'records',
    'ports',
    'options',
    'policy',
    'transactions',
    'access',
    'catalog',
    'context',
    'runtime',
    'lifecycle',
  ],
  requests: [
    'records',
    'ports',
    'telemetry',
    'options',
    'ledger',
    'credentials',
    'transactions',
    'access',
    'catalog',
    'context',
    'runtime',
    'background',
  ],
};

/** Files at the top of core that every room may use: they know no room but `records`. */
const common = `${core}(error-table|errors|journal-errors|loop-share|lru-cache|problem-details|shown-text)\\.ts$`;

const roomRules = Object.entries(rooms).map(([room, allowedRooms]) => ({
  name: `core-${room}`,
  comment: `In core, ${room} knows ${allowedRooms.join(', ') || 'no other room'} and the error table.`,
  severity: 'error',
  from: { path: `${core}${room}/`, pathNot: isTest },
  to: { path: core, pathNot: [`${core}(${[room, ...allowedRooms].join('|')})/`, common] },
}));

/** The folders of the room `policy`, and the folders that each may import. */
const policy = `${core}policy/`;
const policyFolders = {
  model: [],
  compile: ['model'],
  tools: ['model'],
  'file/limits': ['model'],
  'file/json': ['model', 'file/limits'],
  'file/zip': ['model', 'file/limits'],
  'file/normalize': ['model', 'file/limits'],
  'file/migrations': ['model'],
  'file/parts': ['model', 'file/json', 'file/normalize', 'file/migrations'],
};

const policyRules = Object.entries(policyFolders).map(([folder, allowedFolders]) => ({
  name: `core-policy-${folder.replace('/', '-')}`,
  comment: `In the room policy, ${folder} imports ${allowedFolders.join(', ') || 'no other folder'}.`,
  severity: 'error',
  from: { path: `${policy}${folder}/`, pathNot: isTest },
  to: { path: policy, pathNot: `${policy}(${[folder, ...allowedFolders].join('|')})/` },
}));

const http = '^packages/http/src/';

/** The rooms of http, and the rooms that each may import. */
const httpRooms = {
  auth: [],
  answer: ['auth'],
  request: ['answer', 'limits'],
  handlers: ['answer'],
  limits: ['answer'],
  metrics: [],
  service: ['answer', 'auth', 'request', 'limits', 'metrics'],
  routing: ['limits', 'auth', 'answer', 'request', 'handlers', 'service'],
};

const httpRules = Object.entries(httpRooms).map(([room, allowedRooms]) => ({
  name: `http-${room}`,
  comment: `In http, ${room} imports ${allowedRooms.join(', ') || 'no other room'}.`,
  severity: 'error',
  from: { path: `${http}${room}/` },
  to: { path: http, pathNot: `${http}(${[room, ...allowedRooms].join('|')})/` },
}));

/** The folders of the file store and those that each may import. */
const lowdb = '^packages/store-lowdb/src/';
const lowdbFolders = {
  files: [],
  lock: ['files'],
  manifest: ['files'],
  journal: ['files', 'manifest'],
  snapshots: ['files', 'manifest'],
  checkpoint: ['files', 'manifest', 'journal', 'snapshots'],
  recovery: ['files', 'manifest', 'journal', 'snapshots'],
  backup: ['files', 'manifest', 'journal'],
  store: ['files', 'lock', 'manifest', 'journal', 'snapshots', 'checkpoint', 'recovery', 'backup'],
  tools: ['files', 'lock', 'manifest', 'recovery', 'backup', 'store'],
};

const lowdbRules = Object.entries(lowdbFolders).map(([folder, allowedFolders]) => ({
  name: `store-lowdb-${folder}`,
  comment: `In the file store, ${folder} imports ${allowedFolders.join(', ') || 'no other folder'}.`,
  severity: 'error',
  from: { path: `${lowdb}${folder}/`, pathNot: isTest },
  to: { path: lowdb, pathNot: `${lowdb}(${[folder, ...allowedFolders].join('|')})/` },
}));

/** The folders of the formulas, and those that each may import. */
const formulas = '^packages/blocks/src/formulas/';
const formulaFolders = {
  values: [],
  functions: ['values'],
  parse: ['values', 'functions'],
  latex: ['values', 'functions', 'parse'],
  evaluate: ['values', 'functions', 'parse', 'latex'],
  runner: ['values', 'parse', 'evaluate'],
};

const blocksRules = Object.entries(formulaFolders).map(([folder, allowedFolders]) => ({
  name: `blocks-formulas-${folder}`,
  comment: `Among the formulas, ${folder} imports ${allowedFolders.join(', ') || 'no other folder'}, the limits and the error.`,
  severity: 'error',
  from: { path: `${formulas}${folder}/`, pathNot: isTest },
  to: {
    path: formulas,
    pathNot: `${formulas}((${[folder, ...allowedFolders].join('|')})/|(formula-error|limits)\\.ts$)`,
  },
}));

module.exports = {
  forbidden: [
    ...httpRules,
    {
      name: 'client-types-only',
      comment:
        'A front end carries no schemas: the client takes types and the table of statuses from the contract, and nothing else.',
      severity: 'error',
      from: { path: '^packages/client/src/' },
      to: {
        pathNot: ['^packages/client/src/', '^packages/contract/(src|dist)/statuses'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'console-through-the-client',
      comment:
        'The page uses the public interface as any front end does: through the client. Of the contract it knows only what has no routes in it, and of the hooks what they export.',
      severity: 'error',
      from: { path: '^packages/console/app/' },
      to: {
        path: '^packages/',
        pathNot:
          '^packages/(console/app|client/(src|dist)/index|contract/(src|dist)/(file-types|schema-model)\\.|react/(src|dist)/(index|rows)\\.)',
      },
    },
    {
      name: 'rows-alone',
      comment: 'What a row of a grid shows needs neither React nor the client.',
      severity: 'error',
      from: { path: '^packages/react/src/rows\\.ts$' },
      to: {},
    },
    {
      name: 'contract-alone',
      comment: 'The contract is data: clients install it without the engine.',
      severity: 'error',
      from: { path: '^packages/contract/src/' },
      to: { pathNot: ['^packages/contract/src/', 'node_modules/zod/'] },
    },
    {
      name: 'no-circle',
      comment: 'Files that import each other, be it only types, are one file or need a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-found',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    ...roomRules,
    ...policyRules,
    ...lowdbRules,
    ...blocksRules,
    {
      name: 'core-common',
      comment: 'What every room uses can know only the records.',
      severity: 'error',
      from: { path: common },
      to: { path: core, pathNot: [`${core}records/`, common] },
    },
    {
      name: 'core-engine-last',
      comment: 'The front door knows every room; no room knows the front door. Two entries open it.',
      severity: 'error',
      from: { path: core, pathNot: [`${core}(engine/|(index|files)\\.ts$)`, isTest] },
      to: { path: `${core}engine/` },
    },
    {
      name: 'inversify-in-the-front-door-only',
      comment: 'Every class can be built with plain `new`; only the composition root knows of a container.',
      severity: 'error',
      from: { pathNot: [`${core}engine/`, isTest] },
      to: { path: 'node_modules/(inversify|reflect-metadata)/' },
    },
    {
      name: 'entry-points-only',
      comment: 'Packages meet at their entry points.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/',
        pathNot: [
          '^packages/$1/',
          '^packages/[^/]+/(src|dist)/(index|adapter|block|conformance|edit-operations|exact-numbers|file-types|files|nodes|producer|records|rows|schema-context|schema-model|statuses)\\.(d\\.ts|ts|js)$',
        ],
      },
    },
    {
      name: 'entry-points-only-from-outside',
      comment: 'Examples and tests use packages as everybody does.',
      severity: 'error',
      from: { path: '^(examples|test)/' },
      to: {
        path: '^packages/',
        pathNot:
          '^packages/[^/]+/(src|dist)/(index|adapter|block|conformance|edit-operations|exact-numbers|file-types|files|nodes|producer|records|rows|schema-context|schema-model|statuses)\\.(d\\.ts|ts|js)$',
      },
    },
    {
      name: 'core-alone',
      comment:
        'Core runs without any other package but the records, statuses and edit operations of the contract; only its tests use the bench.',
      severity: 'error',
      from: { path: core, pathNot: isTest },
      to: {
        path: '^packages/',
        pathNot: [core, '^packages/contract/(src|dist)/(records|statuses|edit-operations)\\.'],
      },
    },
    {
      name: 'no-tests-in-sources',
      comment: 'What is published knows neither tests nor examples.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: isTest },
      to: { path: `(^(examples|test)/|^packages/[^/]+/test/|${isTest})` },
    },
    {
      name: 'no-bench-in-sources',
      comment: 'The bench is for tests; `blockwork test` runs tests, and `blockwork explore` plays policies.',
      severity: 'error',
      from: {
        path: '^(packages|examples)/[^/]+/src/',
        pathNot: ['^packages/(testing|explorer)/', '^packages/cli/src/commands/(test|explore)\\.ts$', isTest],
      },
      to: { path: '^packages/(testing|explorer)/' },
    },
    {
      name: 'no-development-packages-in-sources',
      comment: 'What is published needs only what its manifest installs.',
      severity: 'error',
      from: { path: '^(packages|examples)/[^/]+/src/', pathNot: isTest },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only', 'npm-peer'],
        pathNot: '^packages/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Templates are put together from several folders, and tried as projects.
    exclude: { path: '^((packages|examples)/[^/]+|test)/(dist|coverage)/|^packages/create-blockwork/templates/' },
    tsConfig: { fileName: 'tsconfig.lint.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
