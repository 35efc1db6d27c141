/** The commands about the external ledger of a server, and about what others published on a public one. */
import type { ArgumentSpec, CommandSpec, OptionSpec } from '../line/command.js';

const server: ArgumentSpec = { name: '<server>', description: 'address of a server, such as http://localhost:3000' };
const tokenOf = (whom: string): OptionSpec => ({
  flags: '--token <token>',
  description: `of ${whom} (default: $BLOCKWORK_TOKEN)`,
});
const token = tokenOf('an operator');

/** Where a public ledger is read. */
const sources: readonly OptionSpec[] = [
  { flags: '--mirror <url>', description: 'a mirror node, up to /api (default: the public one)' },
  {
    flags: '--gateway <url>',
    description: 'a gateway of IPFS; it need not be trusted (default: $BLOCKWORK_IPFS_GATEWAY, or https://ipfs.io)',
  },
];

export const ledgerCommands: readonly CommandSpec[] = [
  {
    name: 'status',
    summary: 'print what the ledger costs, what is left of the budget, and what waits to be settled and why',
    arguments: [server],
    options: [token],
    examples: ['ledger status http://localhost:3000'],
    load: () => import('./ledger-status.js'),
  },
  {
    name: 'check',
    summary:
      'compare the books of policies with the ledger: supplies, balances, serials, and messages with their order',
    arguments: [server],
    options: [
      { flags: '--policy <id>', description: 'only this policy (default: all published ones)' },
      tokenOf('the owner of the policies, or an auditor'),
    ],
    examples: ['ledger check http://localhost:3000', 'ledger check http://localhost:3000 --policy 1a2b --json'],
    load: () => import('./check-ledger.js'),
  },
  {
    name: 'resume',
    summary: 'try everything that waits at once, also what the ledger refused; after its cause is gone',
    arguments: [server],
    options: [
      { flags: '--allow <amount>', description: 'so much more may be spent today than the daily budget, such as 12.5' },
      token,
    ],
    examples: ['ledger resume http://localhost:3000', 'ledger resume http://localhost:3000 --allow 20'],
    load: () => import('./resume-ledger.js'),
  },
  {
    name: 'fetch',
    summary:
      'write a policy, tool, module or schema that somebody published on Hedera to a file, by the id of its message',
    arguments: [
      { name: '<message>', description: 'id of the message that published it, such as 1706823227.586179534' },
      { name: '[file]', description: 'default: its name, with .policy, .tool, .module or .schema.json' },
    ],
    options: [
      { flags: '--network <network>', description: 'testnet, mainnet or previewnet', default: 'mainnet' },
      ...sources,
    ],
    examples: ['ledger fetch 1706823227.586179534 --network testnet', 'ledger fetch 1706823227.586179534 solar.policy'],
    load: () => import('./fetch-publication.js'),
  },
  {
    name: 'did',
    summary: 'print the key of a did:hedera, as it was published on Hedera; the hash in the DID proves it',
    arguments: [{ name: '<did>', description: 'the DID, which names its network and the topic with its document' }],
    options: sources,
    examples: ['ledger did did:hedera:testnet:3HhGPB6ht33n51YFaocqBtGePb3xqT4VgnjYbd81eeZW_0.0.1234'],
    load: () => import('./read-did.js'),
  },
];
