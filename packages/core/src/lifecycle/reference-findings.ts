/**
 * Findings about missing references: names that blocks use and the policy lacks, by the references that their types
 * declare.
 */
import type { OpenPolicy } from '../catalog/index.js';
import { atOnce, type Steps } from '../loop-share.js';
import { hintAt, meantBy } from '../options/index.js';
import {
  type BlockNode,
  declaredReferences,
  finding,
  type Finding,
  type PolicyTree,
  type Reference,
  type ReferenceTarget,
  type Suggestion,
} from '../policy/index.js';
import { isObject, type PolicyToken, type PolicyTopic, type SchemaRecord, type TokenRecord } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';
import { contentOf, type SchemaProblem } from './schema-fields.js';
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
): Promise<PolicyParts & { readonly tokens: readonly TokenRecord[] }> => ({
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
  const references: { block: BlockNode; reference: Reference; isKnown: boolean }[] = [];
  for (const block of tree.blocks) {
    yield;
    for (const reference of declaredReferences(block)) {
      if (reference.name === '') continue;
      references.push({ block, reference, isKnown: definitions[reference.to].has(reference.name) });
    }
  }
  // The fields of missing schemas are unknown.
  const isComplete =
    !lacksTools(tree) && references.every(({ reference: { to }, isKnown }) => to !== 'schema' || isKnown);
  const findings: Finding[] = [];
  for (const { block, reference, isKnown } of references) {
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
  readonly faults: ReadonlyMap<string, readonly SchemaProblem[]>;
  readonly remarks: ReadonlyMap<string, readonly SchemaProblem[]>;
};

const namesIn = (names: Iterable<string>): Names => {
  const nameSet = new Set(names);
  return { has: (name) => nameSet.has(name), listed: [...nameSet] };
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
  const faults = new Map<string, readonly SchemaProblem[]>();
  const remarks = new Map<string, readonly SchemaProblem[]>();
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
  const inSchema = (suggestions: readonly Suggestion[]): Suggestion[] =>
    suggestions.map((each) => ({ ...each, schema: name }));
  return [
    ...(faults.get(name) ?? []).map(({ text, suggestions }) => {
      const message = `${prefix} ${text}. The schema cannot be used.`;
      return finding(block, { code: 'SCHEMA_INVALID', message, path, suggestions: inSchema(suggestions) });
    }),
    ...(remarks.get(name) ?? []).map(({ text, suggestions }) => {
      const facts = { message: `${prefix} ${text}.`, path, suggestions: inSchema(suggestions) };
      return finding(block, { code: 'SCHEMA_DOUBTFUL', severity: 'warning', ...facts });
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
    const meant = called?.id ?? meantBy(name, listed);
    const hint = called === undefined ? hintAt(meant) : ` (that is the name of "${called.id}": write this instead)`;
    const message = `${prefix}${hint}.`;
    return finding(block, { code: 'REFERENCE_UNKNOWN', message, path, severity, meant });
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
      if (typeof name !== 'string') return [];
      const misspelt = misspeltIn(name);
      if (misspelt !== undefined) {
        const message = `Column ${String(index)} of "${block.tag}" shows ${name}, which no row has${hintAt(misspelt.meant)}.`;
        const meant = withStep(name, misspelt.step, misspelt.meant);
        return [finding(block, { severity: 'warning', code: 'REFERENCE_UNKNOWN', message, path, meant })];
      }
      const unknown = stepsOf(name).find((step) => !ofEveryCredential.has(step) && !fields.has(step));
      if (unknown === undefined) return [];
      const field = meantBy(unknown, fields.listed);
      const hint = hintAt(field) || listOf(fields.listed);
      const message = `Column ${String(index)} of "${block.tag}" shows the field "${unknown}", which no schema of the policy has${hint}.`;
      const meant = field === undefined ? undefined : withStep(name, unknown, field);
      return [finding(block, { severity: 'warning', code: 'REFERENCE_UNKNOWN', message, path, meant })];
    });
  });
}

/** The first members of the paths of columns. */
const ofRows = ['document', 'option'];
const ofDocuments = ['credentialSubject', 'verifiableCredential', 'issuer', 'issuanceDate', 'id', 'type', 'proof'];

/** What the beginning of a path probably means, if it means nothing: rows and documents have other members, too. */
function misspeltIn(name: string): { readonly step: string; readonly meant: string } | undefined {
  const [first = '', second = '', ...rest] = name.split('.');
  if (second === '') return undefined;
  const isField = first === 'document' && rest.length > 0 && !ofDocuments.includes(second);
  const [step, known] = ofRows.includes(first) ? [isField ? second : undefined, ofDocuments] : [first, ofRows];
  const meant = step === undefined ? undefined : meantBy(step, known);
  return step === undefined || meant === undefined ? undefined : { step, meant };
}

/** The path with another step in the place of the first of this name. */
function withStep(path: string, step: string, instead: string): string {
  const steps = path.split('.');
  steps[steps.indexOf(step)] = instead;
  return steps.join('.');
}

const listOf = (names: readonly string[]): string =>
  names.length > MOST_LISTED ? '' : ` (there are ${names.map((name) => `"${name}"`).join(', ')})`;

/** The fields in the path of a credential's field, without positions in lists. */
function stepsOf(name: string): string[] {
  const inSubject = /^document\.credentialSubject\.(?:\d+|L)\.(.+)$/.exec(name)?.[1];
  return (inSubject ?? '').split('.').filter((step) => !/^(?:\d*|L)$/.test(step));
}
