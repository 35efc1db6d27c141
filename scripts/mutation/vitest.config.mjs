/** The configuration of the workspace, limited to the tests of the room that is measured. */
import base from '../../vitest.config.ts';
import { NearestFirst } from './nearest-first.mjs';

const { tests, excluded } = JSON.parse(process.env.BLOCKWORK_MUTATION_TESTS ?? '{"tests":[],"excluded":[]}');

export default {
  ...base,
  test: {
    ...base.test,
    include: tests,
    exclude: [...base.test.exclude, ...excluded],
    // The script thread is bundled once before the run, from sources without mutants.
    globalSetup: [],
    sequence: { sequencer: NearestFirst },
  },
};
