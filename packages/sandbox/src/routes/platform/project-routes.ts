/** Projects: documents of the schema that a policy names as that of its projects. */
import { isBlockworkError } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { z } from 'zod';
import { newestFirst, policiesOf } from '../../policies/policy-list.js';
import { checked, ok, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import type { RouteDeps } from '../route-deps.js';

const ids = z.array(z.string().max(200)).max(1_000).nullish();
const wanted = z.looseObject({ categoryIds: ids, policyIds: ids });
/** Of one policy. */
const PROJECTS = 1_000;

export const projectRoutes = (deps: RouteDeps): SandboxRoute[] => [
  { method: 'POST', path: '/projects/search', body: 'data', handle: async (call) => ok(await projects(deps, call)) },
];

/** Of the policies whose documents the caller may look into; `categoryIds` are names of categories. */
async function projects({ engine }: RouteDeps, call: SandboxCall): Promise<object[]> {
  const caller = callerOf(await call.person());
  const { categoryIds, policyIds } = checked(call.body, wanted);
  const found: object[] = [];
  for (const policy of newestFirst(await policiesOf(engine, caller))) {
    const schema = policy['projectSchemaIri'];
    const isWanted =
      (!policyIds?.length || policyIds.includes(policy.id)) &&
      (!categoryIds?.length || policy.categories.some((category) => categoryIds.includes(category)));
    if (!isWanted || typeof schema !== 'string') continue;
    try {
      const { items } = await engine.documents.list(caller, policy.id, { schema, limit: PROJECTS });
      for (const { id, createDate, document } of items) {
        const subject = isObject(document) ? document['credentialSubject'] : undefined;
        const [first] = Array.isArray(subject) ? (subject as unknown[]) : [subject];
        const { title = '', companyName = '', sectoralScope = '' } = isObject(first) ? first : {};
        const policyFacts = { policyId: policy.id, policyName: policy.name };
        found.push({ ...{ id, ...policyFacts, registered: createDate, title, companyName, sectoralScope } });
      }
    } catch (error) {
      if (!isBlockworkError(error) || error.status >= 500) throw error;
    }
  }
  return found;
}
