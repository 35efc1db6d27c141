/** 1.5.0: showing the history of documents in a grid moved from an option into a block. */
import type { BlockSource } from '../../../records/index.js';
import { walkTree } from '../../model/tree-walk.js';
import { blocksOfType, type MigrationStep } from './step.js';

export const historyAddon: MigrationStep = {
  version: '1.5.0',
  apply(policy) {
    const tags = new Set(walkTree(policy.root).map(({ block }) => block.tag));
    for (const position of blocksOfType(policy, 'interfaceDocumentsSourceBlock')) {
      const sources = position.block.children.filter((child) => child.blockType === 'documentsSourceAddon');
      const shown = sources.some((source) => source['viewHistory'] === true || source['viewHistory'] === 'true');
      for (const source of sources) delete source['viewHistory'];
      if (!shown) continue;
      const addon = newAddon(policy.ids.uuid(), freeTag(position.block.tag, tags));
      position.block.children.push(addon);
      policy.report(position, `The history that its sources asked for is now shown by a historyAddon, "${addon.tag}".`);
    }
  },
};

/** The reference adds it with `defaultActive: false`, which it ignores; here that would switch the addon off. */
const newAddon = (id: string, tag: string): BlockSource => ({
  id,
  blockType: 'historyAddon',
  tag,
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  uiMetaData: {},
  events: [],
  children: [],
  dependencies: [],
});

function freeTag(grid: string, tags: Set<string>): string {
  const wish = grid === '' ? 'history' : `${grid}_history`;
  let tag = wish;
  for (let number = 2; tags.has(tag); number++) tag = `${wish}_${number}`;
  tags.add(tag);
  return tag;
}
