/** All commands as data: help, completion and the reference page derive from it. Commands are loaded lazily. */
import type { TemplateName } from 'create-blockwork';
import { documentCommands } from './documents/document-commands.js';
import type { ArgumentSpec, CommandSpec, OptionSpec } from './line/command.js';
import { ledgerCommands } from './ledger/ledger-commands.js';
import { logCommands, verifyLogCommand } from './log/log-commands.js';
import { schemaCommands } from './schemas/schema-commands.js';
import { storeCommands } from './store/store-commands.js';

const policy: ArgumentSpec = {
  name: '<policy>',
  description: 'a .policy archive, a .policy.json, a folder written by "unpack", or code that exports it: policy.ts',
};

/** Those of `create-blockwork`, named here so that help need not load it. */
const templates = [
  'form-approve-mint',
  'registry',
  'json',
  'typescript',
  'device',
  'koa',
  'express',
] as const satisfies readonly TemplateName[];

const graphFormats = ['tree', 'mermaid', 'dot', 'svg'] as const;

const dataOption: OptionSpec = {
  flags: '--data <folder>',
  description: "the server's data folder (default: $BLOCKWORK_DATA, or .blockwork)",
};

export const commands: readonly CommandSpec[] = [
  {
    name: 'new',
    summary: 'create a project with a policy, its test, a README and a Dockerfile',
    arguments: [{ name: '<folder>', description: 'a new folder, which names the project' }],
    options: [
      {
        flags: '-t, --template <template>',
        description: 'what it begins with',
        choices: templates,
        default: 'form-approve-mint',
      },
    ],
    examples: ['new sunlight', 'new meters --template device'],
    load: () => import('./commands/new.js'),
  },
  {
    name: 'validate',
    summary: 'check policies and list findings for their authors',
    arguments: [{ ...policy, name: '<policies...>' }],
    options: [{ flags: '--strict', description: 'treat warnings as errors' }],
    examples: ['validate registry.policy', 'validate policies/*.policy --json'],
    load: () => import('./commands/validate.js'),
  },
  {
    name: 'test',
    summary: 'run scenario scripts against a policy',
    arguments: [policy, { name: '[scripts...]', description: 'default: every *.scenario.json next to the policy' }],
    examples: ['test sunlight.policy.json', 'test registry.policy approval.scenario.json'],
    load: () => import('./commands/test.js'),
  },
  {
    name: 'explore',
    summary: 'run a policy with random users and report unreached blocks, dead ends, failures and broken invariants',
    arguments: [
      policy,
      { name: '[invariants...]', description: 'conditions that must hold, such as "only Verifier approves"' },
    ],
    options: [
      { flags: '--seed <seed>', description: 'seed of the random walk, for reproducible runs', default: '1' },
      { flags: '--steps <steps>', description: 'maximum number of steps', default: '1000' },
      { flags: '--users <users>', description: 'number of users besides the owner (default: three per role)' },
    ],
    examples: ['explore registry.policy', 'explore registry.policy "expect mints <= approved" --steps 5000 --json'],
    load: () => import('./commands/explore.js'),
  },
  {
    name: 'graph',
    summary: 'draw the blocks of a policy',
    arguments: [policy],
    options: [{ flags: '-f, --format <format>', description: 'output format', choices: graphFormats, default: 'tree' }],
    examples: ['graph registry.policy', 'graph registry.policy --format svg > registry.svg'],
    load: () => import('./commands/graph.js'),
  },
  {
    name: 'explain',
    summary: 'explain whether a role may use a block, and under which conditions',
    arguments: [policy, { name: '<block>', description: 'tag or id of the block' }],
    options: [
      {
        flags: '--as <role>',
        description: 'a role of the policy, "owner", or "nobody" for a user without a role',
        required: true,
      },
    ],
    examples: ['explain registry.policy approve_btn --as owner'],
    load: () => import('./commands/explain.js'),
  },
  {
    name: 'diff',
    summary: 'compare two policies: permissions of roles, minting, fields, blocks, events',
    arguments: [
      { ...policy, name: '<before>' },
      { ...policy, name: '<after>' },
    ],
    examples: ['diff registry-1.policy registry-2.policy'],
    load: () => import('./commands/diff.js'),
  },
  {
    name: 'verify',
    summary: 'verify a proof that somebody gave you: signatures, schemas, roles, relationships, amounts, supply',
    arguments: [{ name: '<bundle>', description: 'a JSON file downloaded as the proof of a document or a mint' }],
    options: [
      {
        flags: '--since <checkpoint>',
        description: "a checkpoint of the journal's log that you kept: the bundle must prove that its log continues it",
      },
    ],
    examples: ['verify bundle.json', 'verify bundle.json --since checkpoint', 'verify bundle.json --json'],
    load: () => import('./commands/verify.js'),
    commands: [verifyLogCommand],
  },
  {
    name: 'unpack',
    summary: 'unpack an archive into a folder for version control; "pack" reverses it',
    arguments: [
      { name: '<archive>', description: 'a .policy archive' },
      { name: '[folder]', description: 'default: the name of the archive without its extension' },
    ],
    load: () => import('./commands/unpack.js'),
  },
  {
    name: 'pack',
    summary: 'pack a policy from a folder, a JSON file or code into an archive',
    arguments: [
      {
        name: '<folder>',
        description: 'a folder written by "unpack", a .policy.json file, or code that exports a policy',
      },
      { name: '[archive]', description: 'default: the name of the folder or file plus .policy' },
    ],
    load: () => import('./commands/pack.js'),
  },
  {
    name: 'eject',
    summary: 'print a policy as TypeScript code, which "pack" and all commands accept in its place',
    arguments: [policy],
    examples: ['eject registry.policy > registry.ts', 'pack registry.ts registry.policy'],
    load: () => import('./commands/eject.js'),
  },
  {
    name: 'client',
    summary: 'generate a typed client with a method for each form, grid and button of a policy',
    arguments: [policy],
    examples: ['client registry.policy > registry-client.ts'],
    load: () => import('./commands/client.js'),
  },
  {
    name: 'serve',
    summary: 'serve a folder of policies over HTTP',
    arguments: [{ name: '[folder]', description: 'the policies (default: $BLOCKWORK_POLICIES, or policies)' }],
    options: [
      { flags: '--port <port>', description: 'port to listen on (default: $BLOCKWORK_PORT, or 3000)' },
      dataOption,
      {
        flags: '--watch',
        description: 'reload policies when their files change and print the differences; for development only',
      },
      {
        flags: '--sandbox',
        description: 'emulate the accounts, sessions and virtual users of Guardian; for development only',
      },
      {
        flags: '--templates <folder>',
        description: 'templates of your own for new policies (default: $BLOCKWORK_TEMPLATES)',
      },
      {
        flags: '--ledger <ledger>',
        description:
          'where published policies mint: "book", the store only, or "hedera" (default: $BLOCKWORK_LEDGER, or book)',
      },
    ],
    examples: ['serve policies --port 8080', 'serve policies --watch'],
    load: () => import('./commands/serve.js'),
  },
  {
    name: 'token',
    summary: 'sign a token for a server that uses the same data folder',
    options: [
      { flags: '--as <who>', description: '"owner", a DID, or a name such as alice', required: true },
      {
        flags: '--role <role>',
        description: 'platform role (default: STANDARD_REGISTRY for the owner, otherwise USER)',
      },
      { flags: '--hours <hours>', description: 'validity in hours', default: '24' },
      dataOption,
    ],
    examples: ['token --as owner', 'token --as alice --hours 1'],
    load: () => import('./commands/token.js'),
  },
  {
    name: 'openapi',
    summary: 'print the OpenAPI document of the HTTP interface, or of the blocks of a policy',
    arguments: [{ ...policy, name: '[policy]' }],
    options: [{ flags: '--prefix <path>', description: 'path prefix of every route', default: '/api/v1' }],
    examples: ['openapi > openapi.json', 'openapi registry.policy > registry.openapi.json'],
    load: () => import('./commands/openapi.js'),
  },
  {
    name: 'inspect',
    summary: 'list the policies of a server and its pending or failing requests, timers, messages and effects',
    arguments: [
      { name: '[target]', description: 'address of a server, or its data folder (default: $BLOCKWORK_DATA)' },
    ],
    options: [{ flags: '--token <token>', description: 'for a server (default: $BLOCKWORK_TOKEN)' }],
    examples: ['inspect .blockwork', 'inspect http://localhost:3000 --token "$(blockwork token --as owner)"'],
    load: () => import('./commands/inspect.js'),
  },
  {
    name: 'mcp',
    summary: 'offer tools to programs that write policies, by the Model Context Protocol on standard input and output',
    options: [
      { flags: '--folder <folder>', description: 'work on the policy files of this folder, and on nothing else' },
      {
        flags: '--server <url>',
        description: 'work on the drafts of a server, with the token in $BLOCKWORK_TOKEN',
      },
      { flags: '--allow-publish', description: 'also offer to publish, with --server; cannot be undone' },
    ],
    examples: ['mcp --folder policies', 'mcp --server http://localhost:3000'],
    load: () => import('./commands/mcp.js'),
  },
  {
    name: 'completion',
    summary: 'print a shell completion script',
    arguments: [{ name: '<shell>', description: 'the shell', choices: ['bash', 'zsh', 'fish'] }],
    examples: ['completion bash >> ~/.bashrc'],
    load: async () => ({ run: (await import('./commands/completion.js')).completion(commands) }),
  },
  {
    name: 'schemas',
    summary: 'the schemas of a policy in a workbook, to be edited there',
    commands: schemaCommands(policy),
  },
  {
    name: 'documents',
    summary: 'documents of a policy on a server in sheets, many at once',
    commands: documentCommands,
  },
  { name: 'log', summary: 'the log of the journal of a policy on a server', commands: logCommands },
  {
    name: 'ledger',
    summary:
      'the external ledger of a server: its costs, what waits, whether the books agree; and what is published on it',
    commands: ledgerCommands,
  },
  { name: 'store', summary: 'maintain the folder of a file store, or a database', commands: storeCommands },
];
