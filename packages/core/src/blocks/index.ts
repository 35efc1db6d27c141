/** The interface blocks: what users of a policy see. */
export { DocumentsSourceAddon } from './documents-source-addon.js';
export { FiltersAddon } from './filters-addon.js';
export { HistoryAddon } from './history-addon.js';
export { interfaceBlocks } from './interface-blocks.js';
export { Information } from './information.js';
export { InterfaceContainer } from './interface-container.js';
export { InterfaceDocumentsSource } from './interface-documents-source.js';
export { InterfaceStep } from './interface-step.js';
export { invitationToken } from './invitation-token.js';
export { PaginationAddon } from './pagination-addon.js';
export { PolicyRoles } from './policy-roles.js';
