/** A block as its parent shows it, with its title and texts. */
export interface Slot {
  readonly id: string;
  readonly blockType: string;
  readonly uiMetaData?: Readonly<Record<string, unknown>> | null;
}

/**
 * The title that the policy gives a block, otherwise its type in words.
 *
 * @example titleOf({ blockType: 'interfaceDocumentsSourceBlock' }); // 'Interface documents source'
 */
export function titleOf({ uiMetaData, blockType }: Pick<Slot, 'uiMetaData' | 'blockType'>): string {
  const words = blockType
    .replace(/Block$/, '')
    .replaceAll(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase();
  return textOf(uiMetaData, 'title') || words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * A text among what the policy says of the looks of a block; `''` where there is none.
 *
 * @example textOf(block.uiMetaData, 'description');
 */
export const textOf = (uiMetaData: Slot['uiMetaData'], member: string): string => {
  const value = uiMetaData?.[member];
  return typeof value === 'string' ? value : '';
};
