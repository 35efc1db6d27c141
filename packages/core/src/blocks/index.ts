/** The interface blocks: those that users of a policy see. */
export { documentsSourceAddon } from './documents-source-addon.js';
export { filtersAddon } from './filters-addon.js';
export { historyAddon } from './history-addon.js';
export { interfaceBlocks } from './interface-blocks.js';
export { informationBlock } from './interface-blocks.js';
export { moduleBlock } from './module.js';
export { interfaceContainerBlock } from './interface-blocks.js';
export { interfaceDocumentsSourceBlock } from './interface-documents-source.js';
export { interfaceStepBlock } from './interface-blocks.js';
export { invitationToken } from './policy-roles.js';
export { paginationAddon } from './pagination-addon.js';
export { policyRolesBlock } from './policy-roles.js';
export { toolBlock } from './tool.js';
