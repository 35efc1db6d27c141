/** The list of the interface blocks. */
import type { BlockType } from '../block-api/index.js';
import { documentsSourceAddon } from './documents-source-addon.js';
import { filtersAddon } from './filters-addon.js';
import { historyAddon } from './history-addon.js';
import { informationBlock } from './information.js';
import { interfaceContainerBlock } from './interface-container.js';
import { interfaceDocumentsSourceBlock } from './interface-documents-source.js';
import { interfaceStepBlock } from './interface-step.js';
import { moduleBlock } from './module.js';
import { paginationAddon, type PaginationLimits } from './pagination-addon.js';
import { policyRolesBlock } from './policy-roles.js';
import { toolBlock } from './tool.js';

/** All of them, ready to register. */
export const interfaceBlocks = (limits: PaginationLimits): BlockType[] => [
  interfaceContainerBlock,
  interfaceStepBlock,
  policyRolesBlock,
  interfaceDocumentsSourceBlock,
  documentsSourceAddon,
  filtersAddon,
  paginationAddon(limits),
  historyAddon,
  informationBlock,
  moduleBlock,
  toolBlock,
];
