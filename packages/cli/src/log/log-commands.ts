/** The commands about the log of a policy's journal. */
import type { CommandSpec, OptionSpec } from '../line/command.js';

const token: OptionSpec = { flags: '--token <token>', description: 'for a server (default: $BLOCKWORK_TOKEN)' };

export const logCommands: readonly CommandSpec[] = [
  {
    name: 'export',
    summary:
      'write the log of a journal to a folder, which any web server can serve, and its entries if you may read them',
    arguments: [
      { name: '<server>', description: 'address of a server, such as http://localhost:3000' },
      { name: '<folder>', description: 'an empty one, or one with an earlier state of the same log' },
    ],
    options: [
      { flags: '--policy <id>', description: 'id of the policy', required: true },
      { flags: '--hashes-only', description: 'leave the entries of the journal out' },
      token,
    ],
    examples: ['log export http://localhost:3000 registry-log --policy 1a2b'],
    load: () => import('./export-log.js'),
  },
];

/** Below `blockwork verify`. */
export const verifyLogCommand: CommandSpec = {
  name: 'log',
  summary: 'verify the log of a journal: that no entry was changed, removed or moved',
  arguments: [{ name: '<log>', description: 'a folder written by "log export", or the address of a server' }],
  options: [
    { flags: '--policy <id>', description: 'id of the policy, with the address of a server' },
    { flags: '--key <key>', description: 'the key of the log, if you know it from elsewhere' },
    {
      flags: '--since <earlier>',
      description: 'an earlier checkpoint, or a folder with the log as it was: the log must continue it',
    },
    token,
  ],
  examples: ['verify log registry-log', 'verify log http://localhost:3000 --policy 1a2b --since checkpoint'],
  load: () => import('./verify-log.js'),
};
