/** The rooms that `npm run mutation` measures: their sources, the tests that hold them, and the score to reach. */

/** Where a fault is a security hole or lost data. */
const CRITICAL = 90;
const USUAL = 80;

/** A folder with the tests beside its sources, and other tests that hold it. */
const room = (folder, tests = [], aim = USUAL) => ({
  sources: [`${folder}/**/*.ts`],
  tests: [`${folder}/**/*.test.ts`, ...tests],
  aim,
});

const core = 'packages/core/src';
const coreTests = 'packages/core/test';
const engineTest = `${coreTests}/engine.test.ts`;
const blocks = 'packages/blocks/src';
const files = 'packages/store-lowdb/src';
const filesTests = 'packages/store-lowdb/test/**/*.test.ts';
const http = 'packages/http/src';
const koa = 'packages/http-koa/src';
const httpTests = ['packages/http*/test/**/*.test.ts', 'test/http/*.test.ts'];

const requestTests = [
  'approvals',
  'batched-messages',
  'conversations',
  'instance',
  'lost-messages',
  'offers',
  'refused-messages',
  'request-list',
  'resuming-through-outages',
  'telemetry',
  'two-engines',
  'verb-races',
].map((name) => `${coreTests}/${name}*.test.ts`);

const transactionTests = [
  'cached-records.property',
  'contended-policy',
  'revision-keys',
  'telemetry',
  'two-engines',
].map((name) => `${coreTests}/${name}.test.ts`);

const backgroundTests = [
  ...['batched-messages', 'closing', 'damaged-tables', 'events', 'lost-messages', 'notifications', 'operation'],
  ...['telemetry', 'two-engines'],
].map((name) => `${coreTests}/${name}.test.ts`);

/** Tests that kill processes or take minutes say nothing in the time that a mutant has. */
export const excludedTests = ['**/*{kill,every-cut,every-failure,cost,soak}*.test.ts'];

export const rooms = {
  access: room(`${core}/access`, [engineTest], CRITICAL),
  auth: {
    ...room(`${http}/auth`, ['test/http/{auth/*,tokens}.test.ts'], CRITICAL),
    sources: [`${http}/auth/**/*.ts`, `${koa}/auth/**/*.ts`],
  },
  requests: room(`${core}/requests`, [...requestTests, 'test/scenarios/global-events.test.ts'], CRITICAL),
  transactions: room(`${core}/transactions`, transactionTests, CRITICAL),
  ledger: room(`${core}/ledger`, [`${coreTests}/ledger-book*.test.ts`], CRITICAL),
  tokens: room(`${blocks}/tokens`, ['packages/blocks/test/**/*.test.ts'], CRITICAL),
  pagination: {
    sources: [`${core}/blocks/pagination-addon.ts`],
    tests: [`${core}/blocks/{pagination-addon,interface-documents-source}.test.ts`, `${coreTests}/pagination*.test.ts`],
    aim: CRITICAL,
  },
  journal: room(`${files}/journal`, [filesTests], CRITICAL),
  recovery: room(`${files}/recovery`, [filesTests], CRITICAL),

  editing: room(`${core}/editing`, [`${coreTests}/editing*.test.ts`], CRITICAL),
  transparency: room(`${core}/transparency`, [`${coreTests}/journal-log.test.ts`], CRITICAL),
  witness: room(`${core}/witness`, ['packages/ledger-hedera/test/witness.test.ts'], CRITICAL),
  trials: room(`${core}/trials`, [`${coreTests}/{trials,drafts}.test.ts`], CRITICAL),
  events: room(`${core}/events`, [`${coreTests}/events*.test.ts`], CRITICAL),
  webhooks: room(`${core}/webhooks`, [`${coreTests}/webhooks*.test.ts`], CRITICAL),
  telemetry: room(`${core}/telemetry`, [`${coreTests}/telemetry.test.ts`]),
  background: room(`${core}/background`, [engineTest, ...backgroundTests]),
  'block-api': room(`${core}/block-api`),
  'block-kit': room(`${core}/block-kit`),
  catalog: room(`${core}/catalog`, [engineTest]),
  context: room(`${core}/context`, [engineTest, `${coreTests}/ledger-book*.test.ts`]),
  credentials: room(`${core}/credentials`, [`${coreTests}/{tampered-credentials,independent-verifier}.test.ts`]),
  defaults: room(`${core}/defaults`),
  engine: room(`${core}/engine`, [`${coreTests}/*.test.ts`]),
  'interface-blocks': room(`${core}/blocks`),
  comparison: room(`${core}/comparison`, [engineTest]),
  lifecycle: room(`${core}/lifecycle`, [engineTest]),
  memory: room(`${core}/memory`, ['packages/testing/test/memory-*.test.ts']),
  options: room(`${core}/options`),
  policy: room(`${core}/policy`),
  ports: room(`${core}/ports`),
  records: room(`${core}/records`),
  runtime: room(`${core}/runtime`, [engineTest]),

  actions: room(`${blocks}/actions`),
  calculation: room(`${blocks}/calculation`),
  'blocks-common': room(`${blocks}/common`, [`${blocks}/**/*.test.ts`]),
  definition: room(`${blocks}/definition`),
  documents: room(`${blocks}/documents`),
  extraction: room(`${blocks}/extraction`),
  flow: room(`${blocks}/flow`),
  forms: room(`${blocks}/forms`),
  rows: room(`${blocks}/rows`),
  transformations: room(`${blocks}/transformations`),
  formulas: room(`${blocks}/formulas`),
  groups: room(`${blocks}/groups`),
  integrations: room(`${blocks}/integrations`),
  notifications: room(`${blocks}/notifications`),
  reports: room(`${blocks}/reports`),
  revocation: room(`${blocks}/revocation`),
  schemas: room(`${blocks}/schemas`),
  scripts: room(`${blocks}/scripts`),
  threads: room(`${blocks}/threads`, [`${blocks}/{formulas,scripts}/**/*runner.test.ts`]),
  tags: room(`${blocks}/tags`),
  timers: room(`${blocks}/timers`),
  topics: room(`${blocks}/topics`),
  streams: room(`${blocks}/streams`),

  backup: room(`${files}/backup`, [filesTests]),
  checkpoint: room(`${files}/checkpoint`, [filesTests]),
  files: room(`${files}/files`, [filesTests]),
  'file-store': room(`${files}/store`, [filesTests]),
  'file-tools': room(`${files}/tools`, [filesTests]),
  lock: room(`${files}/lock`, [filesTests]),
  manifest: room(`${files}/manifest`, [filesTests]),
  snapshots: room(`${files}/snapshots`, [filesTests]),

  'http-answer': room(`${http}/answer`, httpTests),
  'http-handlers': room(`${http}/handlers`, httpTests),
  'http-limits': room(`${http}/limits`, [...httpTests, 'packages/http/src/limits/**/*.test.ts']),
  'http-request': room(`${http}/request`, httpTests),
  'http-metrics': room(`${http}/metrics`, ['test/http/telemetry.test.ts']),
  'http-service': room(`${http}/service`, httpTests),
  'http-routing': room(`${http}/routing`, httpTests),
  'koa-router': room(`${koa}/router`, httpTests),
  'koa-server': room(`${koa}/server`, httpTests),

  contract: room('packages/contract/src', ['packages/contract/test/**/*.test.ts']),
  cli: room('packages/cli/src', ['packages/cli/test/**/*.test.ts']),
  'create-blockwork': room('packages/create-blockwork/src', ['packages/create-blockwork/test/**/*.test.ts']),
  client: room('packages/client/src', ['packages/client/test/**/*.test.ts', 'test/http/client.test.ts']),
  'http-fetch': room('packages/http-fetch/src', [...httpTests, 'test/http/recipes/*.test.ts']),
  otel: room('packages/otel/src', ['packages/otel/test/**/*.test.ts']),
  'ledger-hedera': room('packages/ledger-hedera/src', ['packages/ledger-hedera/test/**/*.test.ts']),
  'linked-data': room('packages/linked-data/src', [
    'packages/linked-data/test/*.test.ts',
    'packages/core/test/linked-proofs.test.ts',
  ]),
  'link-nats': room('packages/link-nats/src', ['packages/link-nats/test/**/*.test.ts']),
  sandbox: room('packages/sandbox/src', ['test/sandbox/*.test.ts']),
  verify: room('packages/verify/src', ['packages/verify/test/*.test.ts']),
  playground: room('packages/playground/src', ['packages/playground/test/*.test.ts', 'test/site/playground.test.ts']),
  react: room('packages/react/src', ['packages/react/test/*.test.ts', 'test/react/*.test.ts']),
  spreadsheet: room('packages/spreadsheet/src', ['packages/spreadsheet/test/*.test.ts']),
  'store-postgres': room('packages/store-postgres/src', ['packages/store-postgres/test/**/*.test.ts']),
  explorer: room('packages/explorer/src', ['packages/explorer/test/**/*.test.ts', 'test/library/exploring.test.ts']),
  testing: room('packages/testing/src', ['packages/testing/test/**/*.test.ts']),
};
