/** The order of test files: those that take longest begin first, so that none of them is left alone with one worker at the end. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A machine that has run the tests knows how long each took; one that has not would begin with those that are written longest. */
export const longest: readonly string[] = [
  'packages/store-postgres/test/chaos.test.ts',
  'test/requests/two-processes.test.ts',
  'test/scenarios/crash.test.ts',
  'test/scenarios/crowd.test.ts',
  'test/http/walk.test.ts',
  'test/console/provider.test.ts',
  'packages/store-postgres/test/hot-policy.test.ts',
  'test/scenarios/determinism.test.ts',
  'packages/store-postgres/test/round-trips.test.ts',
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

const places = new Map(longest.map((path, place) => [path, place]));
const placeOf = ({ moduleId }: TestSpecification): number => places.get(relative(root, moduleId)) ?? longest.length;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
  }
}
