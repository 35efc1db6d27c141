/** Files of policies, in the reference's format. */
import { listedPolicies, newestFirst } from '../policies/policy-list.js';
import { page, type SandboxCall, type SandboxRoute } from '../requests/endpoint.js';
import type { RouteDeps } from './route-deps.js';

export const artifactRoutes = (deps: RouteDeps): SandboxRoute[] => [
  { method: 'GET', path: '/artifacts', handle: async (call) => page(await artifactsOf(deps, call), call.query) },
];

/** Those of the caller's own policies: the reference shows them to registries only. */
async function artifactsOf({ engine }: RouteDeps, { person: of, query }: SandboxCall): Promise<object[]> {
  const person = await of();
  const policyId = query.get('policyId');
  const own = newestFirst(await listedPolicies(engine, person)).filter(
    ({ id, owner }) => owner === person.caller?.did && (policyId === undefined || id === policyId),
  );
  const artifacts = own.map(async ({ id: policy, owner }) =>
    (await engine.program.listArtifacts(policy)).map(({ id, name, extension }) => ({
      ...{ _id: id, id, uuid: id, name, policyId: policy, owner, category: 'POLICY' },
      // The spelling of the reference.
      extention: extension,
      type: extension === 'json' ? 'JSON' : 'Executable Code',
    })),
  );
  return (await Promise.all(artifacts)).flat();
}
