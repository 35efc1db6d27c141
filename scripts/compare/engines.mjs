/** What is compared: the packages of each engine, the files that a user would write, and where the state is. */

/** `ours`: packages of this repository; `packages`: of others, in the versions that are compared. */
export const engines = [
  {
    name: 'blockwork-files',
    title: 'Blockwork, files',
    ours: ['core', 'blocks', 'store-lowdb'],
    packages: [],
    files: ['blockwork-files.mjs', 'blockwork.mjs', 'blockwork-policy.mjs'],
    storage: 'files',
  },
  {
    name: 'xstate',
    title: 'XState 5.33, SQLite',
    ours: [],
    packages: ['xstate@5.33.3'],
    files: ['xstate.mjs'],
    storage: 'files',
  },
  {
    name: 'bpmn-engine',
    title: 'bpmn-engine 25.0, SQLite',
    ours: [],
    packages: ['bpmn-engine@25.0.1'],
    files: ['bpmn-engine.mjs'],
    storage: 'files',
  },
  {
    name: 'blockwork-postgres',
    title: 'Blockwork, PostgreSQL',
    ours: ['core', 'blocks', 'store-postgres'],
    packages: [],
    files: ['blockwork-postgres.mjs', 'blockwork.mjs', 'blockwork-policy.mjs'],
    storage: 'PostgreSQL',
  },
  {
    name: 'dbos',
    title: 'DBOS 5.3, PostgreSQL',
    ours: [],
    packages: ['@dbos-inc/dbos-sdk@5.3.0', 'pg@8.23.1'],
    files: ['dbos.mjs'],
    storage: 'PostgreSQL',
  },
];

/** The one that the others with the same storage are set in relation to. */
export const yardstickOf = ({ storage }) => engines.find((engine) => engine.storage === storage);
