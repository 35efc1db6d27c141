/** What nests a schema, and what is nested in it. */
import { referencesIn } from '@blockwork/contract/schema-model';
import { entryIri, schemaIri } from '../../policies/schema-list.js';
import { neighboursOf, placeOf, type Neighbour, type SchemaPlace } from '../../policies/schema-places.js';
import { parentsOf } from '../../policies/schema-changes.js';
import { ok, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import type { RouteDeps } from '../route-deps.js';

export const schemaTreeRoutes = (deps: RouteDeps): SandboxRoute[] => [
  {
    method: 'GET',
    path: '/schema/{schemaId}/parents',
    handle: async ({ params, person }) => {
      const caller = callerOf(await person());
      const place = await placeOf(deps, caller, params['schemaId'] ?? '');
      return ok(parentsOf(place, caller, iriOf(place)).map(({ iri, listed }) => ({ ...listed, _id: listed.id, iri })));
    },
  },
  {
    method: 'GET',
    path: '/schema/{schemaId}/tree',
    handle: async ({ params, person }) => {
      const caller = callerOf(await person());
      const place = await placeOf(deps, caller, params['schemaId'] ?? '');
      const schemas = new Map(neighboursOf(place, caller).map((each) => [each.iri, each]));
      return ok(treeOf(iriOf(place), schemas, []));
    },
  },
];

const iriOf = (place: SchemaPlace): string => (place.in === 'book' ? schemaIri(place.schema) : entryIri(place.entry));

/** A schema in itself ends there. */
function treeOf(iri: string, schemas: ReadonlyMap<string, Neighbour>, above: readonly string[]): object {
  const schema = schemas.get(iri);
  const { $defs: _, ...plain } = schema?.document ?? {};
  const nested = [...new Set(referencesIn(plain))].filter((each) => schemas.has(each) && !above.includes(each));
  const children = nested.map((each) => treeOf(each, schemas, [...above, iri]));
  return { name: schema?.listed.name ?? iri, type: iri, children };
}
