/**
 * Members of blocks that their types do not know. Misspelled ones are errors, since they may grant what they were meant
 * to restrict.
 */
import { closestTo } from '../../options/index.js';
import { isObject } from '../../records/index.js';
import { finding } from '../model/block-finding.js';
import type { Finding } from '../model/finding.js';
import { moduleVariables } from '../model/module.js';
import { pointerOf } from '../model/pointer.js';
import type { BlockDefinition, BlockNode } from '../model/policy-model.js';
import { commonMembers } from './common-members.js';
import { knownMembers, type KnownMembers } from './known-members.js';

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

  /** Errors for a block's misspelled members, at any depth. Other unknown options are collected for `ignored`. */
  misspelt(block: BlockNode, definition: BlockDefinition): Finding[] {
    const known = this.#membersOf(definition);
    const findings = this.#ownMembers(block, known);
    for (const [name, schema] of known.members) {
      const value = block.source[name];
      if (!isObject(value) && !Array.isArray(value)) continue;
      for (const fault of faultsIn(knownMembers(schema), value, [name])) findings.push(faultFinding(block, fault));
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

  #ownMembers(block: BlockNode, { members, isOpen }: KnownMembers): Finding[] {
    const known = [...members.keys(), ...commonMembers];
    const variables = isOpen ? moduleVariables(block.source).map(({ name }) => name) : [];
    return Object.keys(block.source).flatMap((name) => {
      if (known.includes(name) || variables.includes(name)) return [];
      if (holdsBlocks(block.source[name])) return [droppedBlocks(block, name)];
      const meant = closestTo(name, known, MOST_EDITS);
      if (meant !== undefined) return [faultFinding(block, { path: [name], meant })];
      if (!isOpen) this.#ignore(block.blockType, name);
      return [];
    });
  }

  #ignore(blockType: string, name: string): void {
    const options = this.#ignored.get(blockType) ?? new Map<string, number>();
    options.set(name, (options.get(name) ?? 0) + 1);
    this.#ignored.set(blockType, options);
  }

  #membersOf(definition: BlockDefinition): KnownMembers {
    let known = this.#known.get(definition);
    if (known === undefined) {
      known = definition.options === undefined ? noMembers : knownMembers(definition.options);
      this.#known.set(definition, known);
    }
    return known;
  }
}

const noMembers: KnownMembers = { members: new Map(), items: [], isOpen: false };

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly meant: string;
}

/** The misspelled members of a value described by a schema, to the schema's depth. */
function faultsIn({ members, items }: KnownMembers, value: unknown, path: readonly PropertyKey[]): Fault[] {
  if (Array.isArray(value)) {
    const known = items.map((item) => knownMembers(item)).filter((item) => item.members.size + item.items.length > 0);
    return known.flatMap((item) => value.flatMap((each: unknown, index) => faultsIn(item, each, [...path, index])));
  }
  if (!isObject(value) || members.size === 0) return [];
  const names = [...members.keys()];
  return Object.entries(value).flatMap(([name, member]) => {
    const schema = members.get(name);
    if (schema !== undefined) return faultsIn(knownMembers(schema), member, [...path, name]);
    const meant = closestTo(name, names, MOST_EDITS);
    return meant === undefined ? [] : [{ path: [...path, name], meant }];
  });
}

const holdsBlocks = (value: unknown): boolean =>
  (Array.isArray(value) ? value : [value]).some((each) => isObject(each) && typeof each['blockType'] === 'string');

const droppedBlocks = (block: BlockNode, name: string): Finding => {
  const message = `"${block.tag}" (${block.blockType}) has blocks in ${name}, where they are dropped (did you mean "children"?). Move them to children.`;
  return finding(block, { code: 'OPTION_MISSPELT', message, path: pointerOf([name]) });
};

const faultFinding = (block: BlockNode, { path, meant }: Fault): Finding => {
  const message = `"${block.tag}" (${block.blockType}) has no member ${path.join('.')}, so it is ignored (did you mean "${meant}"?). Correct the name, or remove it.`;
  return finding(block, { code: 'OPTION_MISSPELT', message, path: pointerOf(path) });
};
