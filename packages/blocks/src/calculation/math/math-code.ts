/** The script of a `mathBlock`: it receives the results and may replace them. */
import type { Json, JsonObject, RunContext } from '@blockwork/core/block';
import { resultOfScript, type ScriptRunner } from '../../scripts/index.js';
import { artifactsOf, type NamedArtifact } from '../artifacts.js';

export interface MathCode {
  readonly code: string;
  readonly artifacts: readonly NamedArtifact[];
  /** `{document, relationships, result, variables, formulas}`. */
  readonly calculated: JsonObject;
}

/** Names as in the reference engine. If the script returns nothing, the calculated result is used. */
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
  return resultOfScript(ctx, scripts, {
    expression: `${opening}${code}${closing}`,
    code: files.code,
    documents: [calculated],
    artifacts: files.data,
    seed: ctx.ids.uuid(),
  });
}
