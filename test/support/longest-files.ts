/** The test files that take longest, the longest first, apart from what vitest needs to sort them. */

/**
 * A machine that has run the tests knows how long each took; one that has not would begin with those that are written longest.
 * What runs many processes stands apart.
 */
export const longest: readonly string[] = [
  'packages/store-postgres/test/chaos.test.ts',
  'test/scenarios/crash.test.ts',
  'test/scenarios/crowd.test.ts',
  'test/http/walk.test.ts',
  'test/console/provider.test.ts',
  'packages/store-postgres/test/hot-policy.test.ts',
  'test/scenarios/determinism.test.ts',
  'packages/store-postgres/test/round-trips.test.ts',
  'test/requests/two-processes.test.ts',
  'test/docs/programs.test.ts',
  'packages/cli/test/loading.test.ts',
  'test/restart/restart.test.ts',
  'packages/cli/test/projects.test.ts',
  'test/console/beside.test.ts',
  'test/scenarios/scenarios.test.ts',
  'test/packages/exports.test.ts',
  'packages/store-postgres/test/same-as-memory.test.ts',
  'packages/cli/test/serve.test.ts',
  'test/sandbox/virtual-users.test.ts',
  'test/waiting/on-postgres.test.ts',
  'test/library/archives.test.ts',
  'packages/store-lowdb/test/power-cut.test.ts',
  'test/console/journeys.test.ts',
  'test/http/generated-requests.test.ts',
  'packages/store-lowdb/test/conformance.test.ts',
  'test/scenarios/kill.test.ts',
  'test/console/operator.test.ts',
  'test/console/real-policies.test.ts',
  'test/console/trials.test.ts',
  'test/requests/simulation.test.ts',
];
