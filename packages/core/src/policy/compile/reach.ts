/** Who reaches a block: those whom it and every block around it are for. */
import { finding } from '../model/block-finding.js';
import type { Finding } from '../model/finding.js';
import type { BlockNode } from '../model/policy-model.js';

interface Person {
  readonly role: string | null;
  readonly isOwner: boolean;
}

const special = ['ANY_ROLE', 'OWNER', 'NO_ROLE'];

/** For a block that is for other people than the blocks around it. The blocks within it are not reported again. */
export function reachFindings(block: BlockNode): Finding[] {
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
  const found: BlockNode[] = [];
  for (let node = block.parent; node !== null; node = node.parent) found.push(node);
  return found;
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
