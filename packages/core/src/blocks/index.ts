/** The interface blocks: those that users of a policy see. */
export { documentsSourceAddon } from './documents-source-addon.js';
export { filtersAddon } from './filters-addon.js';
export { historyAddon } from './history-addon.js';
export { interfaceBlocks } from './interface-blocks.js';
export { informationBlock } from './information.js';
export { moduleBlock } from './module.js';
export { interfaceContainerBlock } from './interface-container.js';
export { interfaceDocumentsSourceBlock } from './interface-documents-source.js';
export { interfaceStepBlock } from './interface-step.js';
export { invitationToken } from './invitation-token.js';
export { paginationAddon } from './pagination-addon.js';
export { policyRolesBlock } from './policy-roles.js';
export { toolBlock } from './tool.js';
