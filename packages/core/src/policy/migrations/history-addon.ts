/** 1.5.0: that a grid shows the history of its documents became a block of its own. */
import type { BlockSource } from '../../records/index.js';
import { placesOf } from '../model/tree-walk.js';
import { placesOfType, type MigrationStep } from './step.js';

export const historyAddon: MigrationStep = {
  version: '1.5.0',
  apply(policy) {
    const tags = new Set(placesOf(policy.root).map(({ block }) => block.tag));
    for (const place of placesOfType(policy, 'interfaceDocumentsSourceBlock')) {
      const sources = place.block.children.filter((child) => child.blockType === 'documentsSourceAddon');
      const shown = sources.some((source) => source['viewHistory'] === true || source['viewHistory'] === 'true');
      for (const source of sources) delete source['viewHistory'];
      if (!shown) continue;
      const addon = newAddon(policy.ids.uuid(), freeTag(place.block.tag, tags));
      place.block.children.push(addon);
      policy.report(place, `The history that its sources asked for is now shown by a historyAddon, "${addon.tag}".`);
    }
  },
};

/** The reference adds it inactive, which has no effect there; here an inactive addon does nothing. */
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
