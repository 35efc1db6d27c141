/** Titles of blocks. */
import type { Slot } from './policy-context.js';

/** The title of a tab or card: the configured title, otherwise the block type in words. */
export function titleOf({ uiMetaData, blockType }: Pick<Slot, 'uiMetaData' | 'blockType'>): string {
  const title = uiMetaData?.['title'];
  return typeof title === 'string' && title !== '' ? title : wordsOf(blockType);
}

/** `interfaceDocumentsSourceBlock` as "Interface documents source". */
function wordsOf(blockType: string): string {
  const words = blockType
    .replace(/Block$/, '')
    .replaceAll(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const textOf = (uiMetaData: Slot['uiMetaData'], member: string): string => {
  const value = uiMetaData?.[member];
  return typeof value === 'string' ? value : '';
};
