/** 1.1.0: targets named in options, dropdowns, conditions and timers became links. */
import { isObject, type BlockSource } from '../../../records/index.js';
import { walkTree } from '../../model/tree-walk.js';
import { addLinks, type Link, type MigrationStep } from './step.js';

export const linksOfOptions: MigrationStep = {
  version: '1.1.0',
  apply(policy) {
    for (const position of walkTree(policy.root)) {
      for (const { source, output, target } of addLinks(position.block, linksOf(position.block))) {
        policy.report(position, `What leads from ${output} of "${source}" to "${target}" is now a link.`);
      }
    }
  },
};

function linksOf(block: BlockSource): Link[] {
  switch (block.blockType) {
    case 'interfaceActionBlock':
      return block['type'] === 'selector' ? selectorLinks(block) : dropdownLinks(block);
    case 'switchBlock':
      return switchLinks(block);
    case 'aggregateDocumentBlock':
      return timerLinks(block);
    default:
      return [];
  }
}

const selectorLinks = (block: BlockSource): Link[] =>
  tagged(block.uiMetaData['options'], 'Option').flatMap((option) =>
    runs(block, option['tag'], option['bindBlock'], option['user'] === 'current' ? '' : 'owner'),
  );

const dropdownLinks = (block: BlockSource): Link[] =>
  block['type'] === 'dropdown' ? runs(block, 'DropdownEvent', block['bindBlock'], '') : [];

const switchLinks = (block: BlockSource): Link[] =>
  tagged(block['conditions'], 'Condition').flatMap(({ tag, bindBlock, target, actor }) =>
    runs(block, tag, bindBlock ?? target, actor === 'owner' || actor === 'issuer' ? actor : ''),
  );

/** The reference links to `RunEvent`, on which the block does not release what it has collected. */
const timerLinks = (block: BlockSource): Link[] =>
  isName(block['timer'])
    ? [{ source: block['timer'], target: block.tag, output: 'TimerEvent', input: 'TimerEvent', actor: '' }]
    : [];

const runs = (block: BlockSource, output: unknown, target: unknown, actor: '' | 'owner' | 'issuer'): Link[] =>
  isName(output) && isName(target) ? [{ source: block.tag, target, output, input: 'RunEvent', actor }] : [];

/** The entries of a list. Entries without a tag get one derived from their position. */
function tagged(list: unknown, prefix: string): Record<string, unknown>[] {
  const entries = Array.isArray(list) ? list : [];
  for (const [index, entry] of entries.entries()) {
    if (isObject(entry) && !isName(entry['tag'])) entry['tag'] = `${prefix}_${index}`;
  }
  return entries.filter(isObject);
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';
