/** The commands below `blockwork schemas`. */
import type { ArgumentSpec, CommandSpec } from '../line/command.js';

const workbook: ArgumentSpec = { name: '<workbook>', description: 'an .xlsx file' };

export const schemaCommands = (policy: ArgumentSpec): readonly CommandSpec[] => [
  {
    name: 'export',
    summary: 'write the schemas of a policy to a workbook',
    arguments: [policy, { ...workbook, name: '[workbook]', description: 'default: the name of the policy plus .xlsx' }],
    examples: ['schemas export registry.policy schemas.xlsx'],
    load: () => import('./export-schemas.js'),
  },
  {
    name: 'import',
    summary:
      'list what a workbook, or a schema that "ledger fetch" wrote, changes in the schemas of a policy, and change the policy',
    arguments: [
      { ...policy, description: 'a .policy archive, a .policy.json or a folder written by "unpack"' },
      { name: '<file>', description: 'an .xlsx file, or a schema as .json' },
    ],
    options: [{ flags: '--check', description: 'only list the changes and the errors' }],
    examples: [
      'schemas import registry.policy schemas.xlsx --check',
      'schemas import registry.policy site.schema.json',
    ],
    load: () => import('./import-schemas.js'),
  },
];
