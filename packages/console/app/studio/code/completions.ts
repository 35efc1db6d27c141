/** What may be written at a place of a policy: members of blocks and of their options, values, and names of what the policy has. */
import type { Blocks } from '../draft/blocks.js';
import type { BlockType, Definition, Source } from '../draft/operations.js';
import { choicesFor } from '../properties/references.js';
import { studioTexts } from '../texts.js';
import { jsonPlaceAt, unquoted } from './json-place.js';
import { membersAt, schemaPlaceOf, schemasBelow, valuesOf, type SchemaPlace } from './schema-at.js';

export interface Proposal {
  /** As it is written in JSON. */
  readonly written: string;
  readonly label: string;
  /** Beside the label, such as the title of a type. */
  readonly detail: string;
  readonly description: string;
}

export interface Proposals {
  readonly from: number;
  readonly to: number;
  readonly kind: 'name' | 'value';
  readonly proposals: readonly Proposal[];
}

export interface PolicyParts {
  readonly definition: Definition;
  readonly blocks: Blocks;
  readonly types: ReadonlyMap<string, BlockType>;
}

/** `undefined` where nothing is known. */
export function proposalsAt(source: string, position: number, parts: PolicyParts): Proposals | undefined {
  const place = jsonPlaceAt(source, position);
  const frame = place?.frames.at(-1);
  if (place === undefined || frame === undefined) return undefined;
  const at = schemaPlaceOf(place, parts.types);
  const { from, to, kind, step } = place;
  if (kind === 'value') {
    const isBlockType = step === 'blockType' && !frame.isList;
    const proposals = isBlockType ? blockTypes(parts) : valuesAt(at, frame.isList ? '0' : step, parts, frame.isList);
    return proposals.length === 0 ? undefined : { from, to, kind, proposals };
  }
  const own = unquoted(source.slice(from, to));
  const inUse = new Set(frame.names.filter((name) => name !== own));
  const proposals = namesAt(at, parts).filter(({ label }) => !inUse.has(label));
  return proposals.length === 0 ? undefined : { from, to, kind, proposals };
}

/** What the word there means, for who points at it. */
export function meaningAt(
  source: string,
  position: number,
  parts: PolicyParts,
): (Proposal & { readonly from: number; readonly to: number }) | undefined {
  const place = jsonPlaceAt(source, position);
  if (place === undefined || place.from === place.to) return undefined;
  const { from, to } = place;
  const word = unquoted(source.slice(from, to));
  const listed = proposalsAt(source, position, parts)?.proposals ?? [];
  const proposal = listed.find(({ label, written }) => label === word || written === source.slice(from, to));
  if (proposal === undefined || (proposal.description === '' && proposal.detail === '')) return undefined;
  return { ...proposal, from, to };
}

const blockTypes = ({ types }: PolicyParts): Proposal[] =>
  [...types.values()].map(({ type, title, description }) => proposal(type, title, description));

const proposal = (value: unknown, detail = '', description = ''): Proposal => ({
  written: JSON.stringify(value),
  label: String(value),
  ...{ detail, description },
});

const descriptionOf = ({ description }: Source): string => (typeof description === 'string' ? description : '');

function namesAt(at: SchemaPlace, { definition }: PolicyParts): Proposal[] {
  if (at.isInBlock) return membersAt(at).map(({ name, schema }) => proposal(name, '', descriptionOf(schema)));
  return at.steps.length > 0
    ? []
    : Object.keys(definition).map((name) => proposal(name, '', membersOfPolicy[name] ?? ''));
}

const membersOfPolicy: Readonly<Record<string, string>> = studioTexts.code.policy;

function valuesAt(at: SchemaPlace, step: string, parts: PolicyParts, isList: boolean): Proposal[] {
  const name = isList ? (at.steps.at(-1) ?? '') : step;
  const references = at.isInBlock ? referencesAt(at, name, parts) : [];
  if (references.length > 0) return references;
  const values = schemasBelow(at, step).flatMap((schema) => valuesOf(schema, at.root));
  return [...new Set(values)].filter((value) => value !== null && value !== '').map((value) => proposal(value));
}

/** Members that name blocks. */
const namesOfBlocks: ReadonlySet<string> = new Set(['source', 'target', 'dependencies', 'finalBlocks', 'bindBlocks']);

function referencesAt(
  { blockType, steps }: SchemaPlace,
  name: string,
  { definition, blocks, types }: PolicyParts,
): Proposal[] {
  const isLink = steps[0] === 'events';
  if (name === 'permissions') return rolesOf(definition);
  if (isLink && name === 'output') return (blockType?.outputs ?? []).map((output) => proposal(output));
  if (isLink && name === 'input') return inputsOf(types).map((input) => proposal(input));
  if (isLink && name === 'actor') return ['', 'owner', 'issuer'].map((actor) => proposal(actor));
  if (namesOfBlocks.has(name) && (isLink || steps.length <= 1))
    return [...blocks.byTag.values()].map(({ tag, type }) => proposal(tag, types.get(type)?.title ?? type));
  const choices = choicesFor(name, definition, blocks)?.choices ?? [];
  return choices.map(({ value, label }) => proposal(value, label === value ? titleOfTag(value, blocks, types) : label));
}

const rolesOf = ({ policyRoles }: Definition): Proposal[] => [
  ...Object.entries(studioTexts.properties.everybody).map(([role, meaning]) => proposal(role, meaning)),
  ...policyRoles.map((role) => proposal(role)),
];

const inputsOf = (types: ReadonlyMap<string, BlockType>): string[] => [
  ...new Set([...types.values()].flatMap(({ inputs }) => inputs)),
];

const titleOfTag = (tag: string, { byTag }: Blocks, types: ReadonlyMap<string, BlockType>): string => {
  const type = byTag.get(tag)?.type;
  return type === undefined ? '' : (types.get(type)?.title ?? type);
};
