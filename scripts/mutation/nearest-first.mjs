/**
 * The order of test files in a mutation run, which ends at the first failure: unit tests beside the sources, the quickest
 * first, then those that load a whole engine.
 */
import { BaseSequencer } from 'vitest/node';

const distance = ({ moduleId }) => (/\/packages\/[^/]+\/src\//.test(moduleId) ? 0 : 1);

export class NearestFirst extends BaseSequencer {
  async sort(files) {
    const slowestFirst = await super.sort(files);
    return slowestFirst.reverse().sort((a, b) => distance(a) - distance(b));
  }
}
