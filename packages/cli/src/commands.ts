/** All commands, as data: help, completion and the reference page derive from it. Each is loaded when it runs. */
import type { ArgumentSpec, CommandSpec, OptionSpec } from './line/command.js';
import { storeCommands } from './store/store-commands.js';

const policy: ArgumentSpec = {
  name: '<policy>',
  description: 'a .policy archive, a .policy.json, or a folder written by "unpack"',
};

const graphFormats = ['tree', 'mermaid', 'dot', 'svg'] as const;

const dataOption: OptionSpec = {
  flags: '--data <folder>',
  description: "the server's data folder (default: $BLOCKWORK_DATA, or .blockwork)",
};

export const commands: readonly CommandSpec[] = [
  {
    name: 'new',
    summary: 'make a project with a policy, its test and a README',
    arguments: [{ name: '<folder>', description: 'a new folder; the project is called as it' }],
    examples: ['new sunlight'],
    load: () => import('./commands/new.js'),
  },
  {
    name: 'validate',
    summary: 'check policies, and list what their authors should look at',
    arguments: [{ ...policy, name: '<policies...>' }],
    options: [{ flags: '--strict', description: 'warnings count as errors' }],
    examples: ['validate registry.policy', 'validate policies/*.policy --json'],
    load: () => import('./commands/validate.js'),
  },
  {
    name: 'test',
    summary: 'run scenario scripts against a policy',
    arguments: [policy, { name: '[scripts...]', description: 'default: the *.scenario.json beside the policy' }],
    examples: ['test sunlight.policy.json', 'test registry.policy approval.scenario.json'],
    load: () => import('./commands/test.js'),
  },
  {
    name: 'explore',
    summary: 'play a policy with random users: what is never reached, dead ends, failures, broken invariants',
    arguments: [policy, { name: '[invariants...]', description: 'what has to hold, such as "only Verifier approves"' }],
    options: [
      { flags: '--seed <seed>', description: 'the same seed gives the same walk', default: '1' },
      { flags: '--steps <steps>', description: 'moves at most', default: '1000' },
      { flags: '--users <users>', description: 'users besides the owner (default: three for each role)' },
    ],
    examples: ['explore registry.policy', 'explore registry.policy "expect mints <= approved" --steps 5000 --json'],
    load: () => import('./commands/explore.js'),
  },
  {
    name: 'graph',
    summary: 'draw the blocks of a policy',
    arguments: [policy],
    options: [
      { flags: '-f, --format <format>', description: 'the kind of picture', choices: graphFormats, default: 'tree' },
    ],
    examples: ['graph registry.policy', 'graph registry.policy --format svg > registry.svg'],
    load: () => import('./commands/graph.js'),
  },
  {
    name: 'explain',
    summary: 'say whether a role may use a block, and what has to happen first',
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
    summary: 'say what changed between two policies: what roles can do, what is minted, fields, blocks, events',
    arguments: [
      { ...policy, name: '<before>' },
      { ...policy, name: '<after>' },
    ],
    examples: ['diff registry-1.policy registry-2.policy'],
    load: () => import('./commands/diff.js'),
  },
  {
    name: 'unpack',
    summary: 'keep a policy as a folder, for version control; pack makes the archive again',
    arguments: [
      { name: '<archive>', description: 'a .policy archive' },
      { name: '[folder]', description: 'default: the name of the archive without its ending' },
    ],
    load: () => import('./commands/unpack.js'),
  },
  {
    name: 'pack',
    summary: 'make the archive of a policy that is kept as a folder',
    arguments: [
      { name: '<folder>', description: 'a folder written by "unpack"' },
      { name: '[archive]', description: 'default: the name of the folder and .policy' },
    ],
    load: () => import('./commands/pack.js'),
  },
  {
    name: 'client',
    summary: 'write a typed client whose methods are the forms, grids and buttons of a policy',
    arguments: [policy],
    examples: ['client registry.policy > registry-client.ts'],
    load: () => import('./commands/client.js'),
  },
  {
    name: 'serve',
    summary: 'serve a folder of policies over HTTP',
    arguments: [{ name: '[folder]', description: 'the policies (default: $BLOCKWORK_POLICIES, or policies)' }],
    options: [
      { flags: '--port <port>', description: 'port to listen at (default: $BLOCKWORK_PORT, or 3000)' },
      dataOption,
      {
        flags: '--watch',
        description: 'reload policies whose files are edited, and say what changed; for development only',
      },
      {
        flags: '--sandbox',
        description: 'play accounts, sessions and virtual users as Guardian has them; for development only',
      },
    ],
    examples: ['serve policies --port 8080', 'serve policies --watch'],
    load: () => import('./commands/serve.js'),
  },
  {
    name: 'token',
    summary: 'sign a token for a server that runs over the same data folder',
    options: [
      { flags: '--as <who>', description: '"owner", a DID, or a name such as alice', required: true },
      { flags: '--role <role>', description: 'platform role (default: STANDARD_REGISTRY for the owner, else USER)' },
      { flags: '--hours <hours>', description: 'how long it is valid', default: '24' },
      dataOption,
    ],
    examples: ['token --as owner', 'token --as alice --hours 1'],
    load: () => import('./commands/token.js'),
  },
  {
    name: 'openapi',
    summary: 'print the OpenAPI document of the HTTP interface, or of the blocks of a policy',
    arguments: [{ ...policy, name: '[policy]' }],
    options: [{ flags: '--prefix <path>', description: 'the path before every route', default: '/api/v1' }],
    examples: ['openapi > openapi.json', 'openapi registry.policy > registry.openapi.json'],
    load: () => import('./commands/openapi.js'),
  },
  {
    name: 'inspect',
    summary: 'list the policies of a server, and what waits or is stuck there: requests, timers, messages, effects',
    arguments: [
      { name: '[target]', description: 'address of a server, or its data folder (default: $BLOCKWORK_DATA)' },
    ],
    options: [{ flags: '--token <token>', description: 'for a server (default: $BLOCKWORK_TOKEN)' }],
    examples: ['inspect .blockwork', 'inspect http://localhost:3000 --token "$(blockwork token --as owner)"'],
    load: () => import('./commands/inspect.js'),
  },
  {
    name: 'completion',
    summary: 'print a script that lets a shell complete commands',
    arguments: [{ name: '<shell>', description: 'the shell', choices: ['bash', 'zsh', 'fish'] }],
    examples: ['completion bash >> ~/.bashrc'],
    load: async () => ({ run: (await import('./commands/completion.js')).completion(commands) }),
  },
  { name: 'store', summary: 'maintain the folder of a file store, or a database', commands: storeCommands },
];
