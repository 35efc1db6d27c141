/** Compiles the blocks of a policy into the tree that the engine runs. */
import { BlockworkError } from '../../errors.js';
import { atOnce, type Steps } from '../../loop-share.js';
import { didYouMean, hintAt, invalidOption, meantBy } from '../../options/index.js';
import { type BlockSource, isObject } from '../../records/index.js';
import { finding, suggestedValue } from '../model/block-finding.js';
import { errorAction } from '../model/error-action.js';
import { shownOf } from '../model/hidden-texts.js';
import { enclosingModule, resolveName } from '../model/module.js';
import { pointerOf, pointerStep } from '../model/pointer.js';
import {
  type BlockCatalog,
  type BlockDefinition,
  type BlockNode,
  type Finding,
  type PolicyTree,
  type Reference,
  referenceTargets,
} from '../model/policy-model.js';
import { type BlockPosition, walkTree } from '../model/tree-walk.js';
import { compileDependencies } from './compile-dependencies.js';
import type { CompileFacts } from './compile-facts.js';
import { compilingLinks } from './compile-links.js';
import { CompiledBlock } from './compiled-block.js';
import { callDefinition } from './definition-guard.js';
import { findingCycles } from './event-cycles.js';
import type { KnownMembers } from './known-members.js';
import { messageOf, suggestionsFor } from './option-issue.js';
import { commonMembers, engineMembers, UnknownMembers } from './unknown-members.js';
import { specialPermissions, validateBlock } from './validate.js';
import { validateFacts } from './validate-facts.js';

/**
 * Mistakes of the author are findings of the tree, not errors.
 * @param config from `readArchive` or `readPolicyJson`. The tree keeps it, so it must not be changed afterwards.
 * @throws POLICY_INVALID if two blocks share an id; INTERNAL if the code of a block type throws.
 */
export const compilePolicy = (config: BlockSource, facts: CompileFacts, catalog: BlockCatalog): PolicyTree =>
  atOnce(compiling(config, facts, catalog));

/** As `compilePolicy`, block by block. */
export function* compiling(config: BlockSource, facts: CompileFacts, catalog: BlockCatalog): Steps<PolicyTree> {
  const findings: Finding[] = [...(facts.findings ?? [])];
  const { root, blocks } = yield* makingBlocks(config, catalog);
  const byUuid = indexById(blocks, facts);
  const byTag = indexByTag(blocks, findings);

  // No spread: a policy can have more findings than a call can have arguments.
  const report = (reported: readonly Finding[]): void => {
    for (const each of reported) findings.push(each);
  };

  const unknownMembers = new UnknownMembers();
  // A collection of this policy's own: the catalog outlives it, and hints from one collection are so many.
  const blockTypes = new Set(catalog.keys());
  for (const block of blocks) {
    yield;
    const { definition } = block;
    if (definition !== null) {
      compileOptions(block, definition, unknownMembers.membersOf(definition), findings);
      report(unknownMembers.faults(block, definition));
    } else report([unknownType(block, blockTypes)]);
    block.onError = errorAction(block.source, (member, message, meant) => {
      const path = pointerStep(member);
      findings.push(finding(block, { severity: 'warning', message: `${member} ${message}.`, path, meant }));
    });
  }
  const dependedOn = compileDependencies(blocks, byTag, findings);
  yield* compilingLinks(blocks, byTag, findings);
  report(yield* findingCycles(blocks));
  const roles = new Set(facts.roles);
  const names = [...roles, ...specialPermissions];
  for (const block of blocks) {
    report(validateBlock(Object.freeze(block), roles, byTag, names));
    yield;
  }
  report(validateFacts(facts, byTag));
  report(unknownMembers.ignored());

  const { groups, navigation } = facts;
  const tree = { root, blocks, byUuid, byTag, dependedOn, roles: facts.roles, groups, navigation, findings };
  for (const block of facts.check === false ? [] : blocks) {
    report(checkFindings(block, tree));
    yield;
  }
  return Object.freeze(tree);
}

function* makingBlocks(
  config: BlockSource,
  catalog: BlockCatalog,
): Steps<{ root: CompiledBlock; blocks: CompiledBlock[] }> {
  const make = ({ block, index: position }: BlockPosition, parent: CompiledBlock | null): CompiledBlock =>
    new CompiledBlock(withRoles(block, parent), parent, position, catalog.get(block.blockType) ?? null);
  const [first, ...others] = walkTree(config);
  const root = make(first, null);
  const compiledBlocks = new Map<BlockPosition | null, CompiledBlock>([[first, root]]);
  const children = new Map<CompiledBlock, CompiledBlock[]>();
  for (const place of others) {
    const parent = compiledBlocks.get(place.parent) ?? root;
    const block = make(place, parent);
    compiledBlocks.set(place, block);
    yield;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [block]);
    else siblings.push(block);
  }
  for (const [parent, list] of children) parent.children = Object.freeze(list);
  return { root, blocks: [...compiledBlocks.values()] };
}

function indexById(blocks: readonly CompiledBlock[], facts: CompileFacts): Map<string, CompiledBlock> {
  const map = new Map<string, CompiledBlock>();
  for (const block of blocks) {
    const earlier = map.get(block.uuid);
    if (earlier !== undefined) {
      const reason = `the blocks at "${earlier.path}" and "${block.path}" have the same id, ${block.uuid}`;
      throw new BlockworkError('POLICY_INVALID', { facts: { policyId: facts.policyId ?? '', reason } });
    }
    map.set(block.uuid, block);
  }
  return map;
}

/** The first block of a tag has it. */
function indexByTag(blocks: readonly CompiledBlock[], findings: Finding[]): Map<string, CompiledBlock> {
  const map = new Map<string, CompiledBlock>();
  for (const block of blocks) {
    if (!block.named) continue;
    const { tag } = block;
    const earlier = map.get(tag);
    if (earlier === undefined) map.set(tag, block);
    else {
      block.isRepeated = true;
      const message = `The tag "${tag}" is used twice, by the blocks at ${earlier.path || '/'} and ${block.path}. Rename one of them.`;
      findings.push({ ...finding(block, { code: 'TAG_REPEATED', message, path: '/tag' }), tag });
    }
  }
  return map;
}

function unknownType(block: CompiledBlock, types: ReadonlySet<string>): Finding {
  const meant = meantBy(block.blockType, types);
  const message = `This engine does not know the block type ${block.blockType}${hintAt(meant)}.`;
  const suggestions = meant === undefined ? [] : [suggestedValue('/blockType', meant)];
  return finding(block, { code: 'BLOCK_TYPE_UNKNOWN', message, suggestions });
}

function checkFindings(block: CompiledBlock, tree: PolicyTree): readonly Finding[] {
  const { definition, options } = block;
  if (definition?.check === undefined || options === null) return [];
  const findings = callDefinition(block, 'check', () => [...(definition.check?.(block, options, tree) ?? [])]);
  // A type need not use `finding`.
  return findings.map((each) => ({ ...each, message: shownOf(block, each.message) }));
}

const noOptions = Object.freeze({});

/** Sets `options`, or `optionsError` if they are invalid. */
function compileOptions(
  node: CompiledBlock,
  definition: BlockDefinition,
  members: KnownMembers,
  findings: Finding[],
): void {
  const { options } = definition;
  if (options === undefined) {
    node.options = noOptions;
    return;
  }
  const parse = () => callDefinition(node, 'options', () => options.safeParse(written(node.source, members)));
  let parsed = parse();
  if (parsed.success) {
    node.options = parsed.data;
    if (!resolveVariables(node)) return;
    parsed = parse();
  }
  if (parsed.success) {
    node.options = parsed.data;
    return;
  }
  node.options = null;
  const reasons = parsed.error.issues.map((issue) => {
    const { path } = issue;
    const reason = shownOf(node, named(path) + messageOf(issue, node.source));
    const message = `The options of "${node.tag}" (${node.blockType}) cannot be used: ${reason}.`;
    // `UnknownMembers` reports each of these keys.
    const suggestions = suggestionsFor(issue, node.source);
    if (issue.code !== 'unrecognized_keys')
      findings.push(finding(node, { message, path: pointerOf(path), suggestions }));
    return reason;
  });
  node.optionsError = reasons.join('; ');
}

const named = (path: readonly PropertyKey[]): string => (path.length === 0 ? '' : `${path.map(String).join('.')} `);

/** A strict schema does not have to name the members that every block may have. */
const written = (source: BlockSource, { members, isStrict }: KnownMembers): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(source).filter(
      ([key]) => !engineMembers.has(key) && (!isStrict || members.has(key) || !commonMembers.includes(key)),
    ),
  );

/** The block as written, with role variables of its module resolved in its permissions. */
function withRoles(source: BlockSource, parent: BlockNode | null): BlockSource {
  if (enclosingModule(parent) === null) return source;
  const permissions = source.permissions.map((permission) => resolveName(permission, 'role', parent));
  const same = permissions.every((permission, index) => permission === source.permissions[index]);
  return same ? source : { ...source, permissions };
}

/**
 * Replaces the names of variables in the options that the block's type declares as references.
 * @returns whether anything was replaced; the options must then be parsed again.
 */
function resolveVariables(block: CompiledBlock): boolean {
  if (enclosingModule(block.parent) === null) return false;
  const before = block.source;
  for (const { to, name, path } of declaredReferences(block)) {
    const value = resolveName(name, to, block.parent);
    if (value !== name) block.source = replaced(block.source, pathOf(path), name, value);
  }
  return block.source !== before;
}

/** Keys of a JSON pointer. */
const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A copy with `name` at the path replaced by `value`; the same object if the path holds something else. */
function replaced<T>(at: T, path: readonly string[], name: string, value: string): T {
  const [key, ...rest] = path;
  if (key === undefined) return (typeof at === 'string' && at.trim() === name.trim() ? value : at) as T;
  if (Array.isArray(at)) {
    return at.map((each: unknown, index) => (String(index) === key ? replaced(each, rest, name, value) : each)) as T;
  }
  if (!isObject(at) || !Object.hasOwn(at, key)) return at;
  const next = replaced(at[key], rest, name, value);
  return next === at[key] ? at : { ...at, [key]: next };
}

/**
 * Empty if the type is unknown, declares none, or cannot read the options.
 * @throws OPTION_INVALID for a target that does not exist; INTERNAL if the block type's code throws.
 */
export function declaredReferences(block: BlockNode): readonly Reference[] {
  const { definition, options } = block;
  if (definition?.references === undefined || options === null) return [];
  const references = callDefinition(block, 'references', () => definition.references?.(options) ?? []);
  for (const { to } of references) if (!referenceTargets.includes(to)) throw unknownTarget(definition.type, to);
  return references;
}

function unknownTarget(blockType: string, to: string): BlockworkError {
  const hint = didYouMean(to, referenceTargets);
  return invalidOption(
    `references of the block type "${blockType}" in blocks`,
    `it refers to a "${to}", which is none of ${referenceTargets.join(', ')}${hint}`,
  );
}
