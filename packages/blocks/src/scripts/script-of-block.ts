/** Runs a script of a block with what every script gets: the user, a standing clock and repeatable chance. */
import type { Json, ReadContext } from '@blockwork/core/block';
import { ScriptError } from './script-error.js';
import type { ScriptRunner } from './script-runner.js';

export interface BlockScript {
  readonly expression: string;
  /** Files of code, which run before it. */
  readonly code?: readonly string[];
  readonly documents: readonly Json[];
  readonly artifacts?: readonly Json[];
  /** A hexadecimal text, such as a UUID, that random numbers follow from. */
  readonly seed: string;
}

/** What the script passes to `done`. Fails with `SCRIPT_FAILED`. */
export async function resultOfScript(ctx: ReadContext, scripts: ScriptRunner, script: BlockScript): Promise<Json> {
  const { expression, code = [], documents, artifacts = [], seed } = script;
  const { did, role, group, username, key } = ctx.user;
  try {
    return await scripts.run(ctx.policy.id, expression, code, {
      documents,
      user: { id: key, did, username, role, group },
      artifacts,
      now: ctx.clock.now(),
      seed: Number.parseInt(seed.slice(0, 8), 16),
    });
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    return ctx.fail('SCRIPT_FAILED', { facts: { reason: error.message }, cause: error });
  }
}
