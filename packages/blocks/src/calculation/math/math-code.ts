/** The script of a `mathBlock`: it sees what was calculated, and may replace the result. */
import type { Json, JsonObject, RunContext } from '@blockwork/core/block';
import { ScriptError, type ScriptRunner } from '../../scripts/index.js';
import { artifactsOf, type NamedArtifact } from '../artifacts.js';

export interface MathCode {
  readonly code: string;
  readonly artifacts: readonly NamedArtifact[];
  /** `{document, relationships, result, variables, formulas}`. */
  readonly calculated: JsonObject;
}

/** The names of the reference. What is not returned is the result as it was calculated. */
const opening = [
  'const { document, relationships, result, variables, formulas } = documents[0];',
  'const scope = { ...variables, ...formulas };',
  'const tables = {};',
  'const getField = (path) => path.split(".").reduce((value, key) => (value == null ? undefined : value[key]), result);',
  'const returned = (() => {',
].join(' ');
const closing = '\n})(); done(returned === undefined ? result : returned);';

export async function resultOfCode(
  ctx: RunContext,
  scripts: ScriptRunner,
  { code, artifacts, calculated }: MathCode,
): Promise<Json> {
  const files = await artifactsOf(ctx, artifacts);
  const { did, role, group, username, key } = ctx.user;
  try {
    return await scripts.run(ctx.policy.id, `${opening}${code}${closing}`, files.code, {
      documents: [calculated],
      user: { id: key, did, username, role, group },
      artifacts: files.data,
      now: ctx.clock.now(),
      seed: Number.parseInt(ctx.ids.uuid().slice(0, 8), 16),
    });
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    return ctx.fail('SCRIPT_FAILED', { facts: { reason: error.message }, cause: error });
  }
}
