/** External data: validates its form and determines the receiving blocks. */
import { z } from 'zod';
import type { Caller } from '../access/index.js';
import { memberOfDevice } from '../context/index.js';
import { BlockworkError } from '../errors.js';
import { describeDetails, toDetails } from '../problem-details.js';
import type { PolicyStore } from '../ports/index.js';
import { equalTo, INSTANCE, isObject, nestsTooDeep } from '../records/index.js';
import type { Json, JsonObject } from '../records/index.js';
import type { BlockRegistry, CompiledPolicyCache } from '../catalog/index.js';
import type { RecordReader } from '../transactions/index.js';

/** `owner`: the identity the credential is submitted for; `ref`: the subject it refers to, if any. */
const externalData = z.object({
  owner: z.string().min(1).max(500),
  document: z.custom<JsonObject>(isObject, 'must be a credential'),
  ref: z.json().nullish(),
  policyTag: z.string().min(1).max(500).optional(),
});
export interface ExternalData {
  readonly owner: string;
  readonly document: JsonObject;
  readonly ref: Json;
  readonly policyTag: string | undefined;
}

/** Throws `INPUT_INVALID` listing every failure. */
export function readExternalData(input: unknown): ExternalData {
  if (nestsTooDeep(input)) {
    throw new BlockworkError('INPUT_INVALID', { facts: { reason: 'The data nests too deep.' } });
  }
  const parsed = externalData.safeParse(input);
  if (parsed.success) {
    const { owner, document, ref = null, policyTag } = parsed.data;
    return { owner, document, ref, policyTag };
  }
  const details = toDetails(parsed.error);
  const reason = `The data is not of the form {owner, document, ref?}: ${describeDetails(details)}`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason }, details });
}

/** Throws `PERMISSION_DENIED` unless the credential is submitted for the caller or for a device they registered. */
export async function assertOwn(records: RecordReader, { did }: Caller, owner: string): Promise<void> {
  if (owner === did || (await memberOfDevice(records, owner)) === did) return;
  const message = 'is neither the caller nor a device that the caller has registered';
  throw new BlockworkError('PERMISSION_DENIED', {
    facts: { permission: 'POLICIES_EXTERNAL_DATA_CREATE' },
    details: [{ path: '/owner', message }],
  });
}

/** The policy with this tag. Throws `POLICY_UNKNOWN`. */
export async function policyTagged(store: Pick<PolicyStore, 'find'>, tag: string): Promise<string> {
  const policyId = await findPolicyTagged(store, tag);
  if (policyId === undefined) throw new BlockworkError('POLICY_UNKNOWN', { facts: { policyId: tag } });
  return policyId;
}

export async function findPolicyTagged(store: Pick<PolicyStore, 'find'>, tag: string): Promise<string | undefined> {
  const [policy] = await store.find('policy', INSTANCE, { where: equalTo('policyTag', tag), limit: 1 });
  return policy?.id;
}

/**
 * Tags of the policy's blocks that accept external data, in tree order. Throws `NOT_FED_FROM_OUTSIDE` if there are
 * none.
 */
export async function blocksFedFromOutside(
  policies: CompiledPolicyCache,
  registry: BlockRegistry,
  policyId: string,
): Promise<string[]> {
  const { tree } = await policies.open(policyId);
  const fed = tree.blocks.filter(({ blockType }) => registry.get(blockType)?.external !== undefined);
  if (fed.length === 0) throw new BlockworkError('NOT_FED_FROM_OUTSIDE', { facts: { policyId } });
  return fed.map(({ tag }) => tag);
}
