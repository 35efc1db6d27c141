/** Compiles the blocks of a policy into the tree that the engine runs. */
import { didYouMean } from '../../options/index.js';
import { BlockworkError } from '../../errors.js';
import type { BlockSource } from '../../records/index.js';
import { finding } from '../model/block-finding.js';
import type { CompileFacts } from './compile-facts.js';
import { compileDependencies } from './compile-dependencies.js';
import { compileLinks } from './compile-links.js';
import { compileOptions } from './compile-options.js';
import { CompiledBlock } from './compiled-block.js';
import { callDefinition } from './definition-guard.js';
import { errorAction } from '../model/error-action.js';
import { cycleFindings } from './event-cycles.js';
import type { Finding } from '../model/finding.js';
import { shownOf } from '../model/hidden-texts.js';
import { walkTree, type BlockPosition } from '../model/tree-walk.js';
import { pointerStep } from '../model/pointer.js';
import type { BlockCatalog, PolicyTree } from '../model/policy-model.js';
import { UnknownMembers } from './unknown-members.js';
import { specialPermissions, validateBlock, validateFacts } from './validate.js';
import { withRoles } from './variables.js';

/**
 * Mistakes of the author are findings of the tree, not errors.
 * @param config from `readArchive` or `readPolicyJson`. The tree keeps it, so it must not be changed afterwards.
 * @throws POLICY_INVALID if two blocks share an id; INTERNAL if the code of a block type throws.
 */
export function compilePolicy(config: BlockSource, facts: CompileFacts, catalog: BlockCatalog): PolicyTree {
  const findings: Finding[] = [...(facts.findings ?? [])];
  const { root, blocks } = makeBlocks(config, catalog);
  const byUuid = indexById(blocks, facts);
  const byTag = indexByTag(blocks, findings);

  // No spread: a policy can have more findings than a call can have arguments.
  const report = (found: readonly Finding[]): void => {
    for (const each of found) findings.push(each);
  };

  const unknownMembers = new UnknownMembers();
  for (const block of blocks) {
    const { definition } = block;
    if (definition !== null) {
      compileOptions(block, definition, unknownMembers.membersOf(definition), findings);
      report(unknownMembers.faults(block, definition));
    } else report([unknownType(block, catalog)]);
    block.onError = errorAction(block.source, (member, message) => {
      findings.push(
        finding(block, { severity: 'warning', message: `${member} ${message}.`, path: pointerStep(member) }),
      );
    });
  }
  const dependedOn = compileDependencies(blocks, byTag, findings);
  compileLinks(blocks, byTag, findings);
  report(cycleFindings(blocks));
  const roles = new Set(facts.roles);
  const names = [...roles, ...specialPermissions];
  for (const block of blocks) report(validateBlock(Object.freeze(block), roles, byTag, names));
  report(validateFacts(facts, byTag));
  report(unknownMembers.ignored());

  const { groups, navigation } = facts;
  const tree = { root, blocks, byUuid, byTag, dependedOn, roles: facts.roles, groups, navigation, findings };
  if (facts.check !== false) for (const block of blocks) report(checkFindings(block, tree));
  return Object.freeze(tree);
}

function makeBlocks(config: BlockSource, catalog: BlockCatalog): { root: CompiledBlock; blocks: CompiledBlock[] } {
  const make = ({ block, index: position }: BlockPosition, parent: CompiledBlock | null): CompiledBlock =>
    new CompiledBlock(withRoles(block, parent), parent, position, catalog.get(block.blockType) ?? null);
  const [first, ...others] = walkTree(config);
  const root = make(first, null);
  const made = new Map<BlockPosition | null, CompiledBlock>([[first, root]]);
  const children = new Map<CompiledBlock, CompiledBlock[]>();
  for (const place of others) {
    const parent = made.get(place.parent) ?? root;
    const block = make(place, parent);
    made.set(place, block);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [block]);
    else siblings.push(block);
  }
  for (const [parent, list] of children) parent.children = Object.freeze(list);
  return { root, blocks: [...made.values()] };
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

const unknownType = (block: CompiledBlock, catalog: BlockCatalog): Finding =>
  finding(block, {
    code: 'BLOCK_TYPE_UNKNOWN',
    message: `This engine does not know the block type ${block.blockType}${didYouMean(block.blockType, catalog)}.`,
  });

function checkFindings(block: CompiledBlock, tree: PolicyTree): readonly Finding[] {
  const { definition, options } = block;
  if (definition?.check === undefined || options === null) return [];
  const found = callDefinition(block, 'check', () => [...(definition.check?.(block, options, tree) ?? [])]);
  // A type need not use `finding`.
  return found.map((each) => ({ ...each, message: shownOf(block, each.message) }));
}
