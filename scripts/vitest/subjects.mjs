/** What `npm test` leaves to commands of their own, since it is slow by its nature: whole subjects, each with the paths of its tests. */

/** By the name after `npm run test:`. A path is a file of tests, or a folder and ends with a slash. */
export const subjects = {
  journeys: {
    about: 'the console in a browser',
    paths: ['test/console/', 'test/react/', 'test/site/playground.test.ts', 'test/site/search.test.ts'],
  },
  commands: {
    about: 'the command line, in processes of its own',
    paths: ['packages/cli/test/'],
  },
  policies: {
    about: 'published policies, and scenarios played to their end',
    paths: ['test/library/', 'test/scenarios/'],
  },
  faults: {
    about: 'databases that fail over, brokers that are lost, processes that are killed',
    paths: [
      'packages/link-nats/test/broker-loss.test.ts',
      'packages/link-nats/test/restart.test.ts',
      'packages/store-lowdb/test/kill.test.ts',
      'packages/store-lowdb/test/lock.test.ts',
      'packages/store-postgres/test/chaos.test.ts',
      'packages/store-postgres/test/failover.test.ts',
      'packages/store-postgres/test/host-kill.test.ts',
      'packages/store-postgres/test/hot-policy.test.ts',
      'packages/store-postgres/test/pooler.test.ts',
      'test/deploy/routing.test.ts',
      'test/requests/broker-loss.test.ts',
      'test/requests/two-processes.test.ts',
    ],
  },
  histories: {
    about: 'long random histories, with faults in them',
    paths: [
      'packages/core/test/editing.property.test.ts',
      'packages/ledger-hedera/test/chaos.test.ts',
      'packages/store-lowdb/test/every-cut.test.ts',
      'packages/store-lowdb/test/every-failure.test.ts',
      'packages/store-lowdb/test/power-cut.test.ts',
      'test/http/walk.test.ts',
      'test/requests/simulation.test.ts',
      'test/simulation/',
    ],
  },
  documentation: {
    about: 'that pages and docstrings are true, and that their examples run',
    paths: ['test/docs/'],
  },
  packages: {
    about: 'packages, programs and the site as they are published',
    paths: ['packages/playground/test/engine-bundle.test.ts', 'test/packages/', 'test/site/site.test.ts'],
  },
};

/** What BLOCKWORK_TESTS may be: no subject is left out, or, with `all`, nothing at all. */
const extents = ['subjects', 'all'];

/** The subjects that a run leaves out: all of them if it is asked for no tests in particular, unless BLOCKWORK_TESTS says how much it tries. */
export function leftOut(args, extent) {
  if (extent) {
    if (extents.includes(extent)) return [];
    throw new Error(`BLOCKWORK_TESTS is "${extent}". Set it to one of ${extents.join(', ')}, or leave it out.`);
  }
  return args.length === 0 ? Object.keys(subjects) : [];
}

/** Arguments that keep vitest from the tests of these subjects. */
export const exclusions = (names) =>
  names.flatMap((name) => subjects[name].paths.map((path) => `--exclude=${path}${path.endsWith('/') ? '**' : ''}`));

/** Arguments that lead vitest to the tests of a subject alone. */
export function testsOf(name) {
  if (Object.hasOwn(subjects, name)) return subjects[name].paths;
  throw new Error(`There is no subject "${name}". There are: ${Object.keys(subjects).join(', ')}.`);
}

/** One line that says what is left to which command. */
export const leftTo = (names) =>
  `Left to ${names.map((name) => `npm run test:${name} (${subjects[name].about})`).join(', ')}; BLOCKWORK_TESTS=subjects npm test runs them too.`;
