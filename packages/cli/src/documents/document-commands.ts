/** The commands below `blockwork documents`. */
import type { ArgumentSpec, CommandSpec, OptionSpec } from '../line/command.js';

const server: ArgumentSpec = { name: '<server>', description: 'address of a server, such as http://localhost:3000' };
const ofBlock = (block: string): readonly OptionSpec[] => [
  { flags: '--policy <id>', description: 'id of the policy', required: true },
  { flags: '--block <tag>', description: `tag of the ${block}`, required: true },
  { flags: '--token <token>', description: 'for the server (default: $BLOCKWORK_TOKEN)' },
];
const file = (ending: string): ArgumentSpec => ({
  name: '[file]',
  description: `default: the tag of the block plus ${ending}`,
});

export const documentCommands: readonly CommandSpec[] = [
  {
    name: 'export',
    summary: 'write the documents of a grid to a file',
    arguments: [server, file('.xlsx or .csv')],
    options: [
      ...ofBlock('grid'),
      { flags: '-f, --format <format>', description: 'kind of file', choices: ['xlsx', 'csv'], default: 'xlsx' },
    ],
    examples: ['documents export http://localhost:3000 --policy 1a2b --block reports --format csv'],
    load: async () => ({ run: (await import('./document-files.js')).exportDocuments }),
  },
  {
    name: 'template',
    summary: 'write a workbook with the columns of a form, in which each row becomes a document',
    arguments: [server, file('.xlsx')],
    options: ofBlock('form'),
    examples: ['documents template http://localhost:3000 --policy 1a2b --block report'],
    load: async () => ({ run: (await import('./document-files.js')).writeTemplate }),
  },
  {
    name: 'send',
    summary: 'check the rows of a filled-in template, then send each to the form, once, however often this is repeated',
    arguments: [
      server,
      { name: '<file>', description: 'a filled-in template, or a CSV file whose first line names the fields' },
    ],
    options: [
      ...ofBlock('form'),
      { flags: '--check', description: 'only check the rows' },
      { flags: '--valid-only', description: 'send the rows without problems even if others have some' },
    ],
    examples: [
      'documents send http://localhost:3000 report.xlsx --policy 1a2b --block report',
      'documents send http://localhost:3000 report.csv --policy 1a2b --block report --check',
    ],
    load: () => import('./send-documents.js'),
  },
];
