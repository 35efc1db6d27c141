/** The list of the interface blocks. */
import type { AnyBlockType } from '../block-api/index.js';
import { DocumentsSourceAddon } from './documents-source-addon.js';
import { FiltersAddon } from './filters-addon.js';
import { HistoryAddon } from './history-addon.js';
import { Information } from './information.js';
import { InterfaceContainer } from './interface-container.js';
import { InterfaceDocumentsSource } from './interface-documents-source.js';
import { InterfaceStep } from './interface-step.js';
import { PaginationAddon, type PaginationLimits } from './pagination-addon.js';
import { PolicyRoles } from './policy-roles.js';

/** All of them, ready to be registered. */
export const interfaceBlocks = (limits: PaginationLimits): AnyBlockType[] => [
  InterfaceContainer,
  InterfaceStep,
  PolicyRoles,
  InterfaceDocumentsSource,
  DocumentsSourceAddon,
  FiltersAddon,
  new PaginationAddon(limits),
  HistoryAddon,
  Information,
];
