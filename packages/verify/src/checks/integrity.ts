/** The bundle as a whole: nothing was changed since it was made, and by whom it was made. */
import { digestOf } from '../crypto/digest.js';
import { proofProblem } from '../crypto/proof.js';
import type { JsonObject } from '../json.js';
import type { Context } from './context.js';
import { keyLookup } from './keys.js';

export async function checkIntegrity(context: Context, value: JsonObject): Promise<void> {
  const { bundle, findings, now } = context;
  const { seal: _, ...content } = value;
  const { digest, proof } = bundle.seal;
  findings.check('bundle', (await digestOf(content)) === digest, 'it was changed after it was made');
  const { definition, hash, owner } = bundle.policy;
  findings.check('policy', (await digestOf(definition)) === hash, 'its blocks are not those that its hash is of');
  if (proof === undefined) {
    findings.leave(
      'bundle',
      `who made it: it has no seal of the policy's owner, ${owner}. Signed documents stand for themselves; the rest is what its sender says`,
    );
    return;
  }
  const sealed = { type: 'BlockworkBundle', digest, proof };
  const problem = await proofProblem(sealed, keyLookup(context, owner, ['assertionMethod']), now);
  const why = typeof problem === 'string' ? problem : (problem?.unchecked ?? '');
  findings.check('bundle', problem === null, `the seal of the policy's owner does not hold: ${why}`);
}
