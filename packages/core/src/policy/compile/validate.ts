/** Static checks that need only block types. */
import { hintAt, meantBy } from '../../options/index.js';
import { finding, suggestedValue } from '../model/block-finding.js';
import { pointerStep } from '../model/pointer.js';
import type { BlockKind, BlockNode, Finding } from '../model/policy-model.js';
import { isSwitched } from '../model/switched.js';

export const specialPermissions = ['ANY_ROLE', 'OWNER', 'NO_ROLE'];

/** Findings about one block. */
export function validateBlock(
  block: BlockNode,
  roles: ReadonlySet<string>,
  byTag: ReadonlyMap<string, BlockNode>,
  /** What permissions can name, for hints. */
  names: readonly string[],
): Finding[] {
  return [
    ...tagFindings(block),
    ...permissionFindings(block, roles, names),
    ...missingPermissions(block),
    ...(isForPeople(block) ? reachFindings(block) : []),
    ...positionFindings(block),
    ...switchFindings(block),
    ...fallbackFindings(block, byTag),
  ];
}

function tagFindings(block: BlockNode): Finding[] {
  if (block.source.tag !== '' || block.parent === null) return [];
  return [
    finding(block, {
      severity: 'warning',
      code: 'TAG_MISSING',
      message: `A ${block.blockType} has no tag, so nothing can refer to it. Give it one.`,
    }),
  ];
}

/**
 * Events run a block regardless of its permissions, but a block with a user interface is unreachable without any.
 * Reports the outermost block first.
 */
function missingPermissions(block: BlockNode): Finding[] {
  if (!isForPeople(block) || block.permissions.length > 0 || block.parent?.permissions.length === 0) return [];
  const message = `Nobody can use "${block.tag}": it has no permissions. Name roles, or one of ${specialPermissions.join(', ')}.`;
  return [finding(block, { code: 'PERMISSION_MISSING', message, path: '/permissions' })];
}

const isForPeople = ({ definition, children }: BlockNode): boolean =>
  definition?.kind === 'interface' || (definition?.kind === 'container' && children.some(isForPeople));

const permissionFindings = (block: BlockNode, roles: ReadonlySet<string>, names: readonly string[]): Finding[] =>
  block.permissions.flatMap((permission, index) => {
    if (roles.has(permission) || specialPermissions.includes(permission)) return [];
    const meant = meantBy(permission, names);
    const message = `"${block.tag}" is open to the role "${permission}", which the policy does not have${hintAt(meant)}.`;
    const path = `/permissions${pointerStep(index)}`;
    return [finding(block, { code: 'PERMISSION_UNKNOWN', message, path, meant })];
  });

function positionFindings(block: BlockNode): Finding[] {
  const { definition, parent } = block;
  const findings: Finding[] = [];
  const parents = definition?.parents;
  if (parents !== undefined && !parents.includes(parent?.blockType ?? '')) {
    const message = `"${block.tag}" (${block.blockType}) is inside ${parent?.blockType ?? 'no block'}, but only works inside ${parents.join(' or ')}.`;
    findings.push(finding(block, { code: 'BLOCK_MISPLACED', message }));
  }
  const parentType = parent?.definition;
  // Links reach a server block wherever it is.
  if (definition?.kind === 'server') return findings;
  if (parentType && definition !== null && !admits(parentType.children ?? 'none', definition.kind)) {
    const isShown = definition.kind === 'interface' || definition.kind === 'container';
    const message = isShown
      ? `"${block.tag}" (${block.blockType}) is not shown by the ${parent.blockType} around it. Move it into a container.`
      : `"${block.tag}" (${block.blockType}) has no effect inside ${parent.blockType}.`;
    findings.push(finding(block, { severity: 'warning', code: 'BLOCK_MISPLACED', message }));
  } else if (definition?.kind === 'source' && isMereContainer(parent)) {
    const message = `"${block.tag}" (${block.blockType}) has no effect inside ${parent?.blockType ?? 'no block'}, which shows no documents. Move it into a block that does, such as an interfaceDocumentsSourceBlock.`;
    findings.push(finding(block, { severity: 'warning', code: 'BLOCK_MISPLACED', message }));
  }
  return findings;
}

/** Modules and tools stand for what is in them. */
const isMereContainer = (block: BlockNode | null): boolean =>
  block?.definition?.kind === 'container' &&
  block.definition.children === 'any' &&
  !['module', 'tool'].includes(block.blockType);

/** An unintentionally omitted `defaultActive` would otherwise show up as a refusal, or as pages that never turn. */
function switchFindings(block: BlockNode): Finding[] {
  if (block.defaultActive || !isSwitched(block)) return [];
  const message = `"${block.tag}" (${block.blockType}) is switched off: \`defaultActive\` is false, or missing. Set it to true, or remove the block.`;
  const suggestions = [suggestedValue('/defaultActive', true)];
  return [
    finding(block, { severity: 'warning', code: 'ADDON_SWITCHED_OFF', message, path: '/defaultActive', suggestions }),
  ];
}

const admits = (kinds: 'any' | 'none' | readonly BlockKind[], kind: BlockKind): boolean =>
  kinds === 'any' || (kinds !== 'none' && kinds.includes(kind));

function fallbackFindings(block: BlockNode, byTag: ReadonlyMap<string, BlockNode>): Finding[] {
  const { onError, parent } = block;
  if (onError.action !== 'goto-tag') return [];
  if (parent !== null && byTag.get(onError.tag)?.parent === parent) return [];
  const meant = meantBy(onError.tag, parent?.children.map(({ tag }) => tag) ?? []);
  const message = `"${block.tag}" names "${onError.tag}" as its error fallback, but none of its siblings has that tag${hintAt(meant)}.`;
  return [
    finding(block, { severity: 'warning', code: 'REFERENCE_UNKNOWN', message, path: '/errorFallbackTag', meant }),
  ];
}

interface Person {
  readonly role: string | null;
  readonly isOwner: boolean;
}

const special = ['ANY_ROLE', 'OWNER', 'NO_ROLE'];

/** For a block that is for other people than the blocks around it. The blocks within it are not reported again. */
function reachFindings(block: BlockNode): Finding[] {
  const around = ancestorsOf(block);
  const people = peopleIn([block, ...around]);
  const comers = people.filter((person) => around.every((each) => isFor(each, person)));
  const own = people.filter((person) => isFor(block, person));
  if (comers.length === 0 || own.length === 0 || own.some((person) => comers.includes(person))) return [];
  const wall = around.find((each) => !own.some((person) => isFor(each, person)));
  const which = wall === undefined ? 'the blocks around it are' : `"${wall.tag}" around it is`;
  const whom = wall === undefined ? 'others' : wall.permissions.join(', ');
  const message = `Nobody can reach "${block.tag}": it is for ${block.permissions.join(', ')}, but ${which} for ${whom}. Give both the same roles.`;
  return [finding(block, { severity: 'warning', code: 'BLOCK_UNREACHABLE', message, path: '/permissions' })];
}

/** The nearest first. */
function ancestorsOf(block: BlockNode): BlockNode[] {
  const ancestors: BlockNode[] = [];
  for (let node = block.parent; node !== null; node = node.parent) ancestors.push(node);
  return ancestors;
}

/** One for each role that is named, and one without a role; the owner and somebody else of each. */
function peopleIn(blocks: readonly BlockNode[]): Person[] {
  const named = new Set(blocks.flatMap(({ permissions }) => permissions));
  const roles = [null, ...[...named].filter((name) => !special.includes(name))];
  return roles.flatMap((role) => [true, false].map((isOwner) => ({ role, isOwner })));
}

const isFor = ({ permissions }: BlockNode, { role, isOwner }: Person): boolean =>
  permissions.includes('ANY_ROLE') ||
  (isOwner && permissions.includes('OWNER')) ||
  (role === null ? !isOwner && permissions.includes('NO_ROLE') : permissions.includes(role));
