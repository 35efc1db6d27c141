/**
 * Findings about missing references: names that blocks use and the policy lacks, by the references that their types
 * declare.
 */
import type { OpenPolicy } from '../catalog/index.js';
import { atOnce, type Steps } from '../loop-share.js';
import { didYouMean } from '../options/index.js';
import {
  type BlockNode,
  declaredReferences,
  finding,
  type Finding,
  type PolicyTree,
  type Reference,
  type ReferenceTarget,
} from '../policy/index.js';
import { isObject, type PolicyToken, type PolicyTopic, type SchemaRecord, type TokenRecord } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';
import { contentOf } from './schema-fields.js';
import { valueFindings } from './value-findings.js';

/** What the blocks of a policy may name. */
export interface PolicyParts {
  /** Whether the policy comes from an archive, which may have left files out. */
  readonly archived: boolean;
  readonly topics: readonly Pick<PolicyTopic, 'name'>[];
  readonly tokenTemplates: readonly Pick<PolicyToken, 'templateTokenTag'>[];
  /** Including those of its tools. */
  readonly schemas: readonly (Pick<SchemaRecord, 'id' | 'document'> & Partial<Pick<SchemaRecord, 'name'>>)[];
  readonly tokens: readonly Pick<TokenRecord, 'id'>[];
}

/** The parts of a stored policy. */
export const storedParts = async (
  records: RecordReader,
  { id, archived, view, tools }: OpenPolicy,
): Promise<PolicyParts> => ({
  archived,
  topics: view.topics,
  tokenTemplates: view.tokenTemplates,
  schemas: [...(await records.find('schema', id)), ...tools.flatMap((tool) => tool.schemas)],
  tokens: await records.find('token', id),
});

/** In the order of the blocks. */
export const referenceFindings = (tree: PolicyTree, parts: PolicyParts): Finding[] =>
  atOnce(findingReferences(tree, parts));

/** As `referenceFindings`, block by block. */
export function* findingReferences(tree: PolicyTree, parts: PolicyParts): Steps<Finding[]> {
  const definitions = yield* definitionsOf(tree, parts);
  const found: { block: BlockNode; reference: Reference; isKnown: boolean }[] = [];
  for (const block of tree.blocks) {
    yield;
    for (const reference of declaredReferences(block)) {
      if (reference.name === '') continue;
      found.push({ block, reference, isKnown: definitions[reference.to].has(reference.name) });
    }
  }
  // The fields of missing schemas are unknown.
  const isComplete = !lacksTools(tree) && found.every(({ reference: { to }, isKnown }) => to !== 'schema' || isKnown);
  const findings: Finding[] = [];
  for (const { block, reference, isKnown } of found) {
    yield;
    const { to } = reference;
    if (isKnown && to === 'schema') findings.push(...schemaFindings(block, reference, definitions));
    if (isKnown || (to === 'field' && !isComplete)) continue;
    findings.push(missing(block, reference, definitions[to], parts));
  }
  const ofColumns = isComplete ? columnFindings(tree, definitions.field) : [];
  yield;
  return [...findings, ...ofColumns, ...(lacksTools(tree) ? [] : yield* valueFindings(tree))];
}

/** Missing tools have no blocks. */
const lacksTools = ({ blocks }: PolicyTree): boolean =>
  blocks.some(({ blockType, children }) => blockType === 'tool' && children.length === 0);

/** Names that the policy has, by what they name, and what is wrong with its schemas, by their ids. */
type Definitions = Readonly<Record<ReferenceTarget, Names>> & {
  readonly faults: ReadonlyMap<string, readonly string[]>;
  readonly remarks: ReadonlyMap<string, readonly string[]>;
};

const namesIn = (names: Iterable<string>): Names => {
  const known = new Set(names);
  return { has: (name) => known.has(name), listed: [...known] };
};

function* definitionsOf(
  { roles, groups }: PolicyTree,
  { topics, tokenTemplates, schemas, tokens }: PolicyParts,
): Steps<Definitions> {
  return {
    schema: namesIn(schemas.map(({ id }) => id)),
    token: namesIn(tokens.map(({ id }) => id)),
    tokenTemplate: namesIn(tokenTemplates.flatMap(({ templateTokenTag }) => templateTokenTag ?? [])),
    topic: namesIn(topics.flatMap(({ name }) => name ?? [])),
    group: namesIn(groups.flatMap(({ name }) => name ?? [])),
    role: namesIn(roles),
    text: { has: () => true, listed: [] },
    ...(yield* contentsOf(schemas)),
  };
}

/** The fields of all schemas, and the faults by schema id; schemas without faults are left out. */
function* contentsOf(schemas: PolicyParts['schemas']): Steps<Pick<Definitions, 'field' | 'faults' | 'remarks'>> {
  const fields = new Set<string>();
  const faults = new Map<string, readonly string[]>();
  const remarks = new Map<string, readonly string[]>();
  for (const { id, document } of schemas) {
    yield;
    if (document === null) continue;
    const content = contentOf(document);
    for (const name of content.fields) fields.add(name);
    if (content.faults.length > 0) faults.set(id, content.faults);
    if (content.remarks.length > 0) remarks.set(id, content.remarks);
  }
  // A policy without schemas gets its documents from elsewhere.
  return { field: fields.size === 0 ? { has: () => true, listed: [] } : namesIn(fields), faults, remarks };
}

function schemaFindings(block: BlockNode, { name, path }: Reference, { faults, remarks }: Definitions): Finding[] {
  const prefix = `"${block.tag}" uses the schema "${name}", in which`;
  return [
    ...(faults.get(name) ?? []).map((fault) => {
      const message = `${prefix} ${fault}. The schema cannot be used.`;
      return finding(block, { code: 'SCHEMA_INVALID', message, path });
    }),
    ...(remarks.get(name) ?? []).map((remark) => {
      const message = `${prefix} ${remark}.`;
      return finding(block, { code: 'SCHEMA_DOUBTFUL', message, path, severity: 'warning' });
    }),
  ];
}

/** What archives carry as files. Published archives leave some out, and the reference runs them all the same. */
const kindsOfFiles: ReadonlySet<ReferenceTarget> = new Set(['schema', 'token']);

function missing(
  block: BlockNode,
  { to, name, path, severity = 'error' }: Reference,
  { listed }: Names,
  { archived, schemas }: PolicyParts,
): Finding {
  const owner = to === 'field' ? 'no schema of the policy has' : 'the policy does not have';
  const prefix = `"${block.tag}" names the ${nouns[to]} "${name}", which ${owner}`;
  if (severity !== 'error' || !archived || !kindsOfFiles.has(to)) {
    const called = to === 'schema' ? schemas.find((schema) => schema.name === name) : undefined;
    const hint =
      called === undefined ? didYouMean(name, listed) : ` (that is the name of "${called.id}": write this instead)`;
    const message = `${prefix}${hint}.`;
    return finding(block, { code: 'REFERENCE_UNKNOWN', message, path, severity });
  }
  const message = `${prefix}: its archive came without that ${nouns[to]}. The block fails when it needs it.`;
  return finding(block, { code: 'REFERENCE_UNKNOWN', message, path, severity: 'warning' });
}

const nouns: Readonly<Record<ReferenceTarget, string>> = {
  schema: 'schema',
  token: 'token',
  tokenTemplate: 'token template',
  topic: 'topic',
  group: 'group',
  role: 'role',
  field: 'field',
  text: 'text',
};

interface Names {
  has(name: string): boolean;
  readonly listed: readonly string[];
}

/** What credentials have beside the fields of a schema, those that the engine issues for roles and tokens included. */
const ownFields = ['id', 'type', '@context', 'ref', 'policyId'];
const fieldsOfRoles = ['role', 'groupName', 'groupLabel'];
const fieldsOfTokens = ['tokenId', 'amount', 'serials', 'date', 'impactType', 'label', 'description', 'unit'];
const ofEveryCredential: ReadonlySet<string> = new Set([...ownFields, ...fieldsOfRoles, ...fieldsOfTokens]);

const MOST_LISTED = 12;

function columnFindings({ blocks }: PolicyTree, fields: Names): Finding[] {
  return blocks.flatMap((block) => {
    if (block.blockType !== 'interfaceDocumentsSourceBlock') return [];
    const columns: readonly unknown[] = Array.isArray(block.uiMetaData.fields) ? block.uiMetaData.fields : [];
    return columns.flatMap((column, index) => {
      const name = isObject(column) ? column['name'] : undefined;
      const path = `/uiMetaData/fields/${String(index)}/name`;
      const misspelt = misspeltIn(name);
      if (misspelt !== '') {
        const message = `Column ${String(index)} of "${block.tag}" shows ${String(name)}, which no row has${misspelt}.`;
        return [finding(block, { severity: 'warning', code: 'REFERENCE_UNKNOWN', message, path })];
      }
      const unknown = stepsOf(name).find((step) => !ofEveryCredential.has(step) && !fields.has(step));
      if (unknown === undefined) return [];
      const hint = didYouMean(unknown, fields.listed) || listOf(fields.listed);
      const message = `Column ${String(index)} of "${block.tag}" shows the field "${unknown}", which no schema of the policy has${hint}.`;
      return [finding(block, { severity: 'warning', code: 'REFERENCE_UNKNOWN', message, path })];
    });
  });
}

/** The first members of the paths of columns. */
const ofRows = ['document', 'option'];
const ofDocuments = ['credentialSubject', 'verifiableCredential', 'issuer', 'issuanceDate', 'id', 'type', 'proof'];

/** What the beginning of a path probably means, if it means nothing: rows and documents have other members, too. */
function misspeltIn(name: unknown): string {
  const [first = '', second = '', ...rest] = typeof name === 'string' ? name.split('.') : [];
  if (second === '') return '';
  if (!ofRows.includes(first)) return didYouMean(first, ofRows);
  const isField = first === 'document' && rest.length > 0 && !ofDocuments.includes(second);
  return isField ? didYouMean(second, ofDocuments) : '';
}

const listOf = (names: readonly string[]): string =>
  names.length > MOST_LISTED ? '' : ` (there are ${names.map((name) => `"${name}"`).join(', ')})`;

/** The fields in the path of a credential's field, without positions in lists. */
function stepsOf(name: unknown): string[] {
  const inSubject =
    typeof name === 'string' ? /^document\.credentialSubject\.(?:\d+|L)\.(.+)$/.exec(name)?.[1] : undefined;
  return (inSubject ?? '').split('.').filter((step) => !/^(?:\d*|L)$/.test(step));
}
