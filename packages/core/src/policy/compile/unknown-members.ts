/**
 * Members of blocks that their types do not know. Misspelled ones are errors, since they may grant what they were meant
 * to restrict. So are all of a strict schema: what a guard does not understand, it cannot enforce. Words that mean
 * nothing are warnings.
 */
import type { z } from 'zod';
import { closestTo, hintAt, meantBy } from '../../options/index.js';
import { isObject } from '../../records/index.js';
import { choicesAt, finding, suggestedName } from '../model/block-finding.js';
import { moduleVariables } from '../model/module.js';
import { pointerOf } from '../model/pointer.js';
import type { BlockDefinition, BlockNode, Finding } from '../model/policy-model.js';
import { quote } from '../model/quote.js';
import { wordsOf } from '../model/words.js';
import { isUnused, membersOfSchema, type KnownMembers } from './known-members.js';

/**
 * With more edits it is a different word: published policies have `createdOrderDirection` as well as `orderDirection`.
 */
const MOST_EDITS = 2;

/** Maximum number of ignored options named in one finding. */
const MOST_NAMED = 20;

export class UnknownMembers {
  readonly #known = new Map<BlockDefinition, KnownMembers>();
  /** How often each unknown option occurs, by block type. */
  readonly #ignored = new Map<string, Map<string, number>>();

  /**
   * Errors for a block's misspelled members, and for the unknown ones of strict schemas, at any depth. Other unknown
   * options are collected for `ignored`.
   */
  faults(block: BlockNode, definition: BlockDefinition): Finding[] {
    const members = this.membersOf(definition);
    const findings = this.#ownMembers(block, members);
    for (const [name, schema] of members.members) {
      for (const fault of faultsIn(schema, block.source[name], [name])) findings.push(faultFinding(block, fault));
    }
    return findings;
  }

  /** One finding per block type with options that have no effect. */
  ignored(): Finding[] {
    return [...this.#ignored].map(([blockType, options]) => {
      const named = [...options].slice(0, MOST_NAMED).map(([name, count]) => `${name} (${String(count)})`);
      const more = options.size > MOST_NAMED ? ` and ${String(options.size - MOST_NAMED)} more` : '';
      const message = `These options of ${blockType} have no effect: ${named.join(', ')}${more}.`;
      return { severity: 'information', code: 'OPTION_IGNORED', message, path: '' };
    });
  }

  /** The members of the type's options. */
  membersOf(definition: BlockDefinition): KnownMembers {
    let cached = this.#known.get(definition);
    if (cached === undefined) {
      cached = definition.options === undefined ? noMembers : membersOfSchema(definition.options);
      this.#known.set(definition, cached);
    }
    return cached;
  }

  #ownMembers(block: BlockNode, { members, isOpen, isStrict }: KnownMembers): Finding[] {
    const names = [...namesIn(members), ...commonMembers];
    const variables = isOpen ? moduleVariables(block.source).map(({ name }) => name) : [];
    return Object.keys(block.source).flatMap((name) => {
      const schema = members.get(name);
      if (schema !== undefined && isUnused(schema)) this.#ignore(block.blockType, name);
      if (schema !== undefined || commonMembers.includes(name) || variables.includes(name)) return [];
      if (holdsBlocks(block.source[name])) return [droppedBlocks(block, name)];
      const meant = closestTo(name, names, MOST_EDITS);
      if (meant !== undefined) return [faultFinding(block, { path: [name], meant })];
      if (isStrict) return [faultFinding(block, { path: [name], names })];
      if (!isOpen) this.#ignore(block.blockType, name);
      return [];
    });
  }

  #ignore(blockType: string, name: string): void {
    const options = this.#ignored.get(blockType) ?? new Map<string, number>();
    options.set(name, (options.get(name) ?? 0) + 1);
    this.#ignored.set(blockType, options);
  }
}

/** Those that an author can use. */
const namesIn = (members: KnownMembers['members']): string[] =>
  [...members].filter(([, schema]) => !isUnused(schema)).map(([name]) => name);

const noMembers: KnownMembers = { members: new Map(), items: [], isOpen: false, isStrict: false };

/** A misspelled member, one that a strict schema refuses, or a word that is none of those that mean something. */
type Fault =
  | { readonly path: readonly PropertyKey[]; readonly meant: string }
  | { readonly path: readonly PropertyKey[]; readonly names: readonly string[] }
  | { readonly path: readonly PropertyKey[]; readonly word: string; readonly words: readonly string[] };

/** The faults of a value described by a schema, to the schema's depth. */
function faultsIn(schema: z.core.$ZodType, value: unknown, path: readonly PropertyKey[]): Fault[] {
  if (typeof value === 'string') return wordFaults(schema, value, path);
  if (typeof value !== 'object' || value === null) return [];
  const { members, items, isStrict } = membersOfSchema(schema);
  if (Array.isArray(value)) {
    return items.flatMap((item) => value.flatMap((each: unknown, index) => faultsIn(item, each, [...path, index])));
  }
  if (!isObject(value) || members.size === 0) return [];
  const names = namesIn(members);
  return Object.entries(value).flatMap(([name, member]) => {
    const memberType = members.get(name);
    if (memberType !== undefined) return faultsIn(memberType, member, [...path, name]);
    const meant = closestTo(name, names, MOST_EDITS);
    if (meant !== undefined) return [{ path: [...path, name], meant }];
    return isStrict ? [{ path: [...path, name], names }] : [];
  });
}

function wordFaults(schema: z.core.$ZodType, word: string, path: readonly PropertyKey[]): Fault[] {
  const words = word === '' ? undefined : wordsOf(schema);
  return words === undefined || words.includes(word) ? [] : [{ path, word, words }];
}

const isBlock = (value: unknown): boolean => isObject(value) && typeof value['blockType'] === 'string';

/** A block, a list of blocks, or blocks by name. */
function holdsBlocks(value: unknown): boolean {
  if (isBlock(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((each) => isBlock(each) || (Array.isArray(each) && each.some(isBlock)));
}

const droppedBlocks = (block: BlockNode, name: string): Finding => {
  const message = `"${block.tag}" (${block.blockType}) has blocks in ${name}, where they are dropped (did you mean "children"?). Move them to children.`;
  const path = pointerOf([name]);
  return finding(block, {
    code: 'OPTION_MISSPELT',
    message,
    path,
    suggestions: [suggestedName(path, 'children')],
  });
};

function faultFinding(block: BlockNode, fault: Fault): Finding {
  const { path } = fault;
  const where = `"${block.tag}" (${block.blockType})`;
  if ('meant' in fault) {
    const message = `${where} has no member ${path.join('.')}, so it is ignored (did you mean "${fault.meant}"?). Correct the name, or remove it.`;
    const at = pointerOf(path);
    const suggestions = [suggestedName(at, fault.meant)];
    return finding(block, { code: 'OPTION_MISSPELT', message, path: at, suggestions });
  }
  if ('names' in fault) {
    const names = fault.names.filter((name) => !commonMembers.includes(name)).join(', ');
    const message = `${where} has the unknown option ${path.join('.')}. This engine cannot enforce what it does not know, so the block stays shut. Remove the option, or express it with one of ${names}.`;
    return finding(block, { code: 'OPTION_UNKNOWN', message, path: pointerOf(path) });
  }
  const { word, words } = fault;
  const meant = meantBy(word, words);
  const message = `${where} has the ${path.join('.')} ${quote(word)}, which means nothing${hintAt(meant)}. Write one of ${words.join(', ')}, or leave it out.`;
  const suggestions = choicesAt(pointerOf(path), words, meant);
  return finding(block, { severity: 'warning', message, path: pointerOf(path), suggestions });
}

/** Members that belong to the engine rather than to the block type's options. */
export const engineMembers: ReadonlySet<string> = new Set([
  'id',
  'blockType',
  'tag',
  'permissions',
  'defaultActive',
  'events',
  'innerEvents',
  'children',
  'dependencies',
  'stopPropagation',
  'onErrorAction',
  'errorTimeout',
  'errorFallbackStep',
  'errorFallbackTag',
]);

/** Plus members that editors write for clients, and those used by only some types. */
export const commonMembers: readonly string[] = [...engineMembers, 'uiMetaData', 'artifacts', 'followUser', 'tags'];
