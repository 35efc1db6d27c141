/** A Stryker checker that lets a random sample of the mutants through and takes the others out of the score. */
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import { CheckStatus } from '@stryker-mutator/api/check';
import { sampleOf } from './sample-of.mjs';

class SampleChecker {
  #chosen = new Set();

  constructor({ blockwork: { sample, seed } }) {
    this.size = sample;
    this.seed = seed;
  }

  async init() {}

  /** Sees all mutants at once, before any is checked. */
  async group(mutants) {
    const ids = mutants.map(({ id }) => id);
    this.#chosen = new Set(sampleOf(ids, this.size, this.seed));
    return [ids];
  }

  async check(mutants) {
    const outside = { status: CheckStatus.CompileError, reason: 'not in the sample' };
    return Object.fromEntries(
      mutants.map(({ id }) => [id, this.#chosen.has(id) ? { status: CheckStatus.Passed } : outside]),
    );
  }
}

const create = (options) => new SampleChecker(options);
create.inject = tokens(commonTokens.options);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.Checker, 'sample', create)];
