/** Comparisons of policies, schemas, modules, tools and documents, as reports and as text for spreadsheets. */
import type { Caller } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { z } from 'zod';
import { csvOf, reportOf, totalOf, treeOf, treeReport, type Report, type Thing } from '../../comparison/reports.js';
import { SandboxError } from '../../errors.js';
import type { Part } from '../../memory/things.js';
import { checked, ok, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import { registryOf } from '../../requests/registry.js';
import { placeOf } from '../../policies/schema-places.js';
import { entryIri, schemaIri, shownEntry } from '../../policies/schema-list.js';
import type { RouteDeps } from '../route-deps.js';
import { documentById } from './documents.js';

interface Comparison {
  readonly left: object;
  readonly right: object;
  readonly total: number;
  readonly reports: Readonly<Record<string, Report>>;
}

type Compare = (deps: RouteDeps, call: SandboxCall, ids: readonly [string, string]) => Promise<Comparison>;

const compares: Readonly<Record<'policies' | 'schemas' | 'modules' | 'tools' | 'documents', Compare>> = {
  policies: comparePolicies,
  schemas: compareSchemas,
  modules: (deps, call, ids) => compareParts(call, ids, deps.books.modules.all()),
  tools: (deps, call, ids) => compareParts(call, ids, deps.books.tools.all()),
  documents: compareDocuments,
};

export const compareRoutes = (deps: RouteDeps): SandboxRoute[] => [
  ...Object.entries(compares).flatMap(([what, compare]): SandboxRoute[] => {
    const path = `/analytics/compare/${what}`;
    return [
      { method: 'POST', path, body: 'data', handle: async (call) => ok(await compared(deps, call, what, compare)) },
      {
        method: 'POST',
        path: `${path}/export`,
        body: 'data',
        handle: async (call) => {
          const [first] = await comparisons(deps, call, what, compare);
          return ok(csvOf(what, [first.left, first.right], first.reports, first.total));
        },
      },
    ];
  }),
  {
    method: 'POST',
    path: '/projects/compare/documents',
    body: 'data',
    handle: async (call) => ok(await compared(deps, call, 'documents', compareDocuments)),
  },
];

/** One right side gives one comparison, several give what is common to them beside a list. */
async function compared(deps: RouteDeps, call: SandboxCall, what: string, compare: Compare): Promise<object> {
  const all = (await comparisons(deps, call, what, compare)).map(({ reports, ...sides }) => ({ ...sides, ...reports }));
  const [first] = all;
  if (all.length === 1) return { ...first };
  return {
    size: all.length + 1,
    left: first?.left,
    rights: all.map(({ right }) => right),
    totals: all.map(({ total }) => total),
    comparisons: all,
  };
}

const id = z.string().min(1).max(500);
/** Several things are compared with the first. */
const MANY = 10;

async function comparisons(
  deps: RouteDeps,
  call: SandboxCall,
  what: string,
  compare: Compare,
): Promise<[Comparison, ...Comparison[]]> {
  const name =
    { policies: 'policyId', schemas: 'schemaId', modules: 'moduleId', tools: 'toolId' }[what] ?? 'documentId';
  const plural = `${name}s`;
  const shape = z.looseObject({
    [`${name}1`]: id.optional(),
    [`${name}2`]: id.optional(),
    [plural]: z.array(id).max(MANY).optional(),
  });
  const body = checked(call.body, shape) as Record<string, unknown>;
  const several = body[plural];
  const named = Array.isArray(several)
    ? several.map(String)
    : [body[`${name}1`], body[`${name}2`]].flatMap((each) => (typeof each === 'string' ? [each] : []));
  const [left, right, ...others] = named;
  const two = checked({ [`${name}1`]: left, [`${name}2`]: right }, z.object({ [`${name}1`]: id, [`${name}2`]: id }));
  const first = await compare(deps, call, [String(two[`${name}1`]), String(two[`${name}2`])]);
  const more: Comparison[] = [];
  for (const other of others) more.push(await compare(deps, call, [String(left), other]));
  return [first, ...more];
}

/** Both are the caller's. */
async function comparePolicies(
  { engine }: RouteDeps,
  call: SandboxCall,
  ids: readonly [string, string],
): Promise<Comparison> {
  const caller = callerOf(await call.person());
  const [left, right] = [await policyOf(ids[0]), await policyOf(ids[1])];
  const listOf = (list: 'policyRoles' | 'policyGroups' | 'policyTopics' | 'policyTokens'): Report =>
    reportOf(things(left.definition[list]), things(right.definition[list]));
  const reports = {
    blocks: treeReport(treeOf(left.definition.config), treeOf(right.definition.config)),
    ...{
      roles: listOf('policyRoles'),
      groups: listOf('policyGroups'),
      topics: listOf('policyTopics'),
      tokens: listOf('policyTokens'),
    },
  };
  return { left: left.facts, right: right.facts, total: totalOf(...Object.values(reports)), reports };

  async function policyOf(policyId: string) {
    const { definition } = await engine.editing.read(caller, policyId);
    const { name, description, version, status, topicId, messageId } = await engine.getPolicy(caller, policyId);
    return {
      definition,
      facts: { id: policyId, name, description, version, status, instanceTopicId: topicId, messageId },
    };
  }
}

const things = (list: readonly unknown[]): Thing[] =>
  list.map((each, index) => {
    const content = isObject(each) ? each : { name: each };
    const name = content['name'] ?? content['tokenName'] ?? content['templateTokenTag'] ?? index;
    return { id: String(index), name: typeof name === 'string' ? name : JSON.stringify(name), content };
  });

async function compareSchemas(deps: RouteDeps, call: SandboxCall, ids: readonly [string, string]): Promise<Comparison> {
  const caller: Caller = callerOf(await call.person());
  const [left, right] = [await schemaOf(ids[0]), await schemaOf(ids[1])];
  const reports = { fields: reportOf(left.fields, right.fields) };
  return { left: left.facts, right: right.facts, total: totalOf(reports.fields), reports };

  async function schemaOf(schemaId: string) {
    const place = await placeOf(deps, caller, schemaId);
    const iri = place.in === 'book' ? schemaIri(place.schema) : entryIri(place.entry);
    const { name } = place.in === 'book' ? place.schema : shownEntry(place.entry);
    const document = place.in === 'book' ? place.schema.document : place.entry['document'];
    const { properties, required } = isObject(document) ? document : {};
    const fields = Object.entries(isObject(properties) ? properties : {}).map(([key, property]): Thing => {
      const isRequired = Array.isArray(required) && required.includes(key);
      return {
        id: key,
        name: key,
        content: { ...(isObject(property) ? property : {}), $comment: undefined, required: isRequired },
      };
    });
    return { fields, facts: { id: schemaId, name, iri } };
  }
}

async function compareParts(
  call: SandboxCall,
  ids: readonly [string, string],
  parts: readonly Part[],
): Promise<Comparison> {
  const { did } = await registryOf(call);
  const partOf = (wanted: string): Part => {
    const part = parts.find((each) => each.owner === did && (each.id === wanted || each.uuid === wanted));
    if (part === undefined) throw new SandboxError('THING_UNKNOWN', { what: 'module or tool', id: wanted });
    return part;
  };
  const [left, right] = [partOf(ids[0]), partOf(ids[1])];
  const listOf = (list: 'inputEvents' | 'outputEvents' | 'variables'): Report =>
    reportOf(things(entries(left.config[list])), things(entries(right.config[list])));
  const reports = {
    blocks: treeReport(treeOf(left.config), treeOf(right.config)),
    ...{ inputEvents: listOf('inputEvents'), outputEvents: listOf('outputEvents'), variables: listOf('variables') },
  };
  const facts = ({ id: partId, name, description }: Part): object => ({ id: partId, name, description });
  return { left: facts(left), right: facts(right), total: totalOf(...Object.values(reports)), reports };
}

const entries = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

async function compareDocuments(
  deps: RouteDeps,
  call: SandboxCall,
  ids: readonly [string, string],
): Promise<Comparison> {
  const caller = callerOf(await call.person());
  const [left, right] = [await documentById(deps, caller, ids[0]), await documentById(deps, caller, ids[1])];
  const thing = ({ document }: typeof left): Thing => ({
    id: document.id,
    name: document['schema'] ?? document.dataType,
    content: contentOf(document['document']),
  });
  const reports = {
    documents: reportOf(
      [{ ...thing(left), id: '1', name: 'document' }],
      [{ ...thing(right), id: '1', name: 'document' }],
    ),
  };
  const facts = ({ policy, document }: typeof left): object => ({
    id: document.id,
    type: document.dataType,
    owner: document.owner,
    policy: policy.name,
  });
  return { left: facts(left), right: facts(right), total: totalOf(reports.documents), reports };
}

/** What was claimed, without who signed it when. */
function contentOf(document: unknown): object {
  if (!isObject(document)) return {};
  const { proof: _proof, id: _id, issuanceDate: _date, ...content } = document;
  return content;
}
