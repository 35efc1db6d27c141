/** Actions on the rows of grids: buttons, choices, downloads. */
import type { AnyBlockType } from '@blockwork/core/block';
import { Button } from './button.js';
import { InterfaceAction } from './interface-action.js';

export { Button, InterfaceAction };

export const actionBlocks: readonly AnyBlockType[] = [Button, InterfaceAction];
