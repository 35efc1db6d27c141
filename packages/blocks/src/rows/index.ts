/** Addons of grids that act on a row, or change what rows show. */
import type { BlockType } from '@blockwork/core/block';
import { buttonBlockAddon } from './button-addon.js';
import { dropdownBlockAddon } from './dropdown-addon.js';
import { requestVcDocumentBlockAddon } from './form-addon.js';
import { selectiveAttributes } from './selective-attributes.js';

export { buttonBlockAddon, dropdownBlockAddon, requestVcDocumentBlockAddon, selectiveAttributes };

export const rowBlocks: readonly BlockType[] = [
  buttonBlockAddon,
  dropdownBlockAddon,
  requestVcDocumentBlockAddon,
  selectiveAttributes,
];
