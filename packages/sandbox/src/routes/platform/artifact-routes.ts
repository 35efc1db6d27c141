/** Files of policies, in the reference's format. */
import { isBlockworkError, type DraftFileSummary, type PolicyRecord } from '@blockwork/core';
import { SandboxError } from '../../errors.js';
import { ownPolicies } from '../../policies/own-policies.js';
import { listedPolicies, newestFirst } from '../../policies/policy-list.js';
import { created, gone, page, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import type { FilePart } from '../../requests/parts.js';
import { registryOf } from '../../requests/registry.js';
import type { RouteDeps } from '../route-deps.js';

/** Two spellings, of different versions. */
export const artifactRoutes = (deps: RouteDeps): SandboxRoute[] =>
  ['/artifacts', '/artifact'].flatMap((path): SandboxRoute[] => [
    { method: 'GET', path, handle: async (call) => page(await artifactsOf(deps, call), call.query) },
    {
      method: 'POST',
      path: `${path}/{parentId}`,
      body: 'files',
      handle: async (call) => created(await added(deps, call)),
    },
    {
      method: 'DELETE',
      path: `${path}/{artifactId}`,
      handle: async (call) => {
        await removed(deps, call);
        return gone;
      },
    },
  ]);

/** Those of the caller's own policies: the reference shows them to registries only. */
async function artifactsOf({ engine }: RouteDeps, { person: of, query }: SandboxCall): Promise<object[]> {
  const person = await of();
  const policyId = query.get('policyId');
  const own = newestFirst(await listedPolicies(engine, person)).filter(
    ({ id, owner }) => owner === person.caller?.did && (policyId === undefined || id === policyId),
  );
  const artifacts = own.map(async (policy) =>
    (await engine.program.listArtifacts(policy.id)).map((file) => artifact(policy, file)),
  );
  return (await Promise.all(artifacts)).flat();
}

const artifact = ({ id: policyId, owner }: PolicyRecord, { id, name, extension }: DraftFileSummary): object => ({
  ...{ _id: idIn(policyId, id), id: idIn(policyId, id), uuid: id, name, policyId, owner, category: 'POLICY' },
  // The spelling of the reference.
  extention: extension,
  type: extension === 'json' ? 'JSON' : 'Executable Code',
});

/** Copies of a policy have the same files, by the same ids that blocks name. */
const idIn = (policyId: string, fileId: string): string => `${policyId}.${fileId}`;

/** Rejects with `NO_DRAFT`, as the reference does, whatever there is instead. */
async function added({ engine }: RouteDeps, call: SandboxCall): Promise<object[]> {
  const caller = await registryOf(call);
  const { parentId = '' } = call.params;
  const files = (call.body as FilePart[]).map(({ name, content }) => ({ ...splitName(name), content }));
  try {
    const policy = await engine.getPolicy(caller, parentId);
    return (await engine.editing.addFiles(caller, parentId, files)).map((file) => artifact(policy, file));
  } catch (error) {
    if (!isBlockworkError(error) || !noDraft.has(error.code)) throw error;
    throw new SandboxError('NO_DRAFT', { policyId: parentId });
  }
}

const noDraft = new Set<string>(['POLICY_UNKNOWN', 'POLICY_NOT_OWNED', 'POLICY_STATUS']);

/** `factors.json` is the file `factors` with the extension `json`. */
function splitName(file: string): { name: string; extension: string } {
  const plain = file.slice(0, 200);
  const dot = plain.lastIndexOf('.');
  return dot < 1 ? { name: plain, extension: '' } : { name: plain.slice(0, dot), extension: plain.slice(dot + 1) };
}

/** Rejects with `THING_UNKNOWN`, `POLICY_STATUS`. */
async function removed({ engine }: RouteDeps, call: SandboxCall): Promise<void> {
  const caller = await registryOf(call);
  const { artifactId: id = '' } = call.params;
  for (const policy of await ownPolicies(engine, caller)) {
    const files = await engine.program.listArtifacts(policy.id);
    const file = files.find((each) => idIn(policy.id, each.id) === id);
    if (file !== undefined) return engine.editing.removeFile(caller, policy.id, file.id);
  }
  throw new SandboxError('THING_UNKNOWN', { what: 'artifact', id });
}
