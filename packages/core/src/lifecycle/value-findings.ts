/** Findings about values that blocks look for and none writes, values that nobody looks at, and roles that nobody can take. */
import type { Steps } from '../loop-share.js';
import { hintAt, meantBy } from '../options/index.js';
import { finding, pointerOf, suggestedValue, type BlockNode, type Finding } from '../policy/index.js';
import type { PolicyTree, Suggestion } from '../policy/index.js';
import { isObject } from '../records/index.js';

/** Block by block. */
export function* valueFindings(tree: PolicyTree): Steps<Finding[]> {
  const uses: Uses[] = [];
  for (const block of tree.blocks) {
    uses.push(usesIn(block));
    yield;
  }
  const written = new Written(uses);
  // A module that is tried on its own gets its documents from the policies around it.
  const isOnItsOwn = written.writings.every(({ block }) => isInModule(block));
  const readings = uses.flatMap((use) => use.readings);
  const findings: Finding[] = [];
  for (const reading of isOnItsOwn ? [] : readings) {
    for (const finding of unwritten(reading, written)) findings.push(finding);
    yield;
  }
  return [...findings, ...unread(tree, readings, written), ...deadRoles(tree)];
}

/** Scripts are searched for so many values at most: both may be very many. */
const MOST_SEARCHES = 500;

/** What the blocks of a policy write, and what they may write in ways of their own. */
class Written {
  readonly writings: readonly Writing[];
  /** The values by field. */
  readonly #values = new Map<string, Set<string>>();
  readonly #texts = new Set<string>();
  readonly #scripts: readonly string[];
  #searches = 0;

  constructor(uses: readonly Uses[]) {
    this.writings = uses.flatMap(({ writings }) => writings);
    for (const { field, value } of this.writings) {
      const values = this.#values.get(field);
      if (values === undefined) this.#values.set(field, new Set([value]));
      else values.add(value);
    }
    for (const { texts } of uses) for (const text of texts) this.#texts.add(text);
    this.#scripts = uses.flatMap(({ scripts }) => scripts);
  }

  get fields(): ReadonlyMap<string, unknown> {
    return this.#values;
  }

  valuesOf(field: string): ReadonlySet<string> | undefined {
    return this.#values.get(field);
  }

  isMentioned(value: string): boolean {
    return this.#texts.has(value) || this.isInScript(value);
  }

  /** Also `true` when there have been too many searches to know. */
  isInScript(value: string): boolean {
    return ++this.#searches > MOST_SEARCHES || this.#scripts.some((script) => script.includes(value));
  }
}

function isInModule(block: BlockNode): boolean {
  for (let at = block.parent; at !== null; at = at.parent) if (at.blockType === 'module') return true;
  return false;
}

/** A filter, condition or column that looks at a field. */
interface Reading {
  readonly block: BlockNode;
  readonly field: string;
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

interface Writing extends Reading {
  readonly value: string;
}

interface Uses {
  readonly readings: Reading[];
  readonly writings: Writing[];
  /** Texts that may be written, in whatever way. */
  readonly texts: Set<string>;
  readonly scripts: string[];
}

/** Longer texts may mention a value. */
const LONGEST_NAME = 60;

/** Members that compare and do not write. */
const comparing = ['filters', 'conditions'];

function usesIn(block: BlockNode): Uses {
  const uses: Uses = { readings: [], writings: [], texts: new Set(), scripts: [] };
  const open: { readonly value: unknown; readonly path: readonly PropertyKey[]; readonly compares: boolean }[] = [];
  const enter = (value: object, path: readonly PropertyKey[], compares: boolean): void => {
    for (const [key, member] of Object.entries(value)) {
      if (path.length === 0 && key === 'children') continue;
      open.push({ value: member, path: [...path, key], compares: compares || comparing.includes(key) });
    }
  };
  enter(block.source, [], false);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, compares } = next;
    if (typeof value === 'string') {
      if (value.length > LONGEST_NAME) uses.scripts.push(value);
      else if (!compares) uses.texts.add(value);
      if (path.length === 1 && path[0] === 'entityType' && value !== '')
        uses.writings.push({ block, field: 'type', value, path });
    } else if (typeof value === 'object' && value !== null) {
      if (isObject(value)) note(block, value, path, uses);
      enter(value, path, compares);
    }
  }
  return uses;
}

function note(
  block: BlockNode,
  entry: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
  uses: Uses,
): void {
  const { field, name, value } = entry;
  const list = path.at(-2);
  if (list === 'filters' && typeof field === 'string') uses.readings.push({ block, field, value, path });
  if (list === 'fields' && typeof name === 'string') uses.readings.push({ block, field: name, value: undefined, path });
  if (typeof value !== 'string' || value === '') return;
  if (list === 'buttons' && typeof field === 'string' && field !== '')
    uses.writings.push({ block, field, value, path: [...path, 'value'] });
  if (list === 'options' && block.blockType === 'sendToGuardianBlock' && typeof name === 'string')
    uses.writings.push({ block, field: `option.${name}`, value, path: [...path, 'value'] });
}

/** Values that the engine itself writes. */
const ownValues = ['NEW', 'Revoked', 'user-role', 'mint', 'retirement', 'approve'];

/** Only of fields that some block of the policy writes: documents of other fields come from elsewhere. */
function unwritten({ block, field, value, path }: Reading, written: Written): Finding[] {
  if (value === undefined || field === '') return [];
  const values = written.valuesOf(field);
  if (values === undefined) return unwrittenField(block, field, path, written);
  return listed(value).flatMap((name) => {
    if (values.has(name) || ownValues.includes(name) || written.isMentioned(name)) return [];
    const meant = meantBy(name, values);
    const message = `"${block.tag}" looks for ${field} "${name}", which no block writes${hintAt(meant)}.`;
    const suggestions = meant === undefined ? [] : valueWith(value, name, meant, pointerOf([...path, 'value']));
    return [unwrittenFinding(block, message, [...path, 'value'], suggestions)];
  });
}

function unwrittenField(block: BlockNode, field: string, path: readonly PropertyKey[], written: Written): Finding[] {
  const [first, name] = field.split('.');
  // The engine writes a status of its own.
  if (first !== 'option' || name === undefined || name === 'status') return [];
  const meant = meantBy(field, written.fields);
  if (meant === undefined || written.isMentioned(name) || written.isMentioned(field)) return [];
  const message = `"${block.tag}" looks at ${field}, which no block writes${hintAt(meant)}.`;
  const at = [...path, 'field'];
  return [unwrittenFinding(block, message, at, [suggestedValue(pointerOf(at), meant)])];
}

const unwrittenFinding = (
  block: BlockNode,
  message: string,
  path: readonly PropertyKey[],
  suggestions: readonly Suggestion[],
): Finding =>
  finding(block, { severity: 'warning', code: 'VALUE_UNWRITTEN', message, path: pointerOf(path), suggestions });

/** The value of a filter with another of its texts in the place of this one. */
function valueWith(value: unknown, text: string, instead: string, at: string): readonly Suggestion[] {
  if (Array.isArray(value)) {
    const index = value.indexOf(text);
    return index === -1 ? [] : [suggestedValue(at + pointerOf([index]), instead)];
  }
  if (typeof value !== 'string') return [];
  const parts = value.split(',').map((part) => (part.trim() === text ? part.replace(text, () => instead) : part));
  return [suggestedValue(at, parts.join(','))];
}

/** The values of a filter: a list, or values joined by commas. */
const listed = (value: unknown): string[] =>
  (typeof value === 'string' ? value.split(',').map((each) => each.trim()) : textsIn(value)).filter(
    (each) => each !== '',
  );

const STATUS = 'option.status';

/** Statuses that no filter asks for, in a policy that shows no status either. */
function unread({ blocks }: PolicyTree, readings: readonly Reading[], written: Written): Finding[] {
  // Blocks of other types may read it in their own way.
  if (blocks.some(({ definition }) => definition === null)) return [];
  if (readings.some(({ field, value }) => field === STATUS && value === undefined)) return [];
  const names = new Set(readings.flatMap(({ value }) => listed(value)));
  return written.writings.flatMap(({ block, field, value, path }) => {
    if (field !== STATUS || names.has(value) || written.isInScript(value)) return [];
    names.add(value);
    const message = `"${block.tag}" writes the status "${value}", which no filter asks for and no column shows.`;
    return [finding(block, { severity: 'information', code: 'VALUE_UNREAD', message, path: pointerOf(path) })];
  });
}

/** Users take roles at a `policyRolesBlock`, or by founding or joining a group that it offers. */
function deadRoles({ roles, groups, blocks }: PolicyTree): Finding[] {
  const choices = blocks.filter(({ blockType }) => blockType === 'policyRolesBlock');
  // Without one, the program around the engine gives roles.
  if (choices.length === 0 || choices.some(({ options }) => options === null)) return [];
  const offered = new Set(choices.flatMap(({ source }) => [...textsIn(source['roles']), ...textsIn(source['groups'])]));
  const takenRoles = new Set(
    groups.flatMap(({ name = '', creator = '', members = [] }) => (offered.has(name) ? [creator, ...members] : [])),
  );
  const users = new Map<string, number>();
  for (const { permissions } of blocks)
    for (const role of new Set(permissions)) users.set(role, (users.get(role) ?? 0) + 1);
  return roles.flatMap((role, index) => {
    const count = users.get(role) ?? 0;
    if (count === 0 || offered.has(role) || takenRoles.has(role)) return [];
    const message = `Nobody can take the role "${role}", for which ${String(count)} blocks are: no policyRolesBlock offers it, nor a group of it.`;
    const pointer = pointerOf(['policyRoles', index]);
    return [{ severity: 'warning', code: 'ROLE_UNREACHABLE', message, path: '', pointer } as const];
  });
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
