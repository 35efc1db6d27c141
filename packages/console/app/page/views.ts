/** The view of each block type. Large views are loaded on demand. */
import { lazy, type ComponentType } from 'react';
import { ActionBlock } from './blocks/action.js';
import { Container } from './blocks/container.js';
import { Information } from './blocks/information.js';
import { Roles } from './blocks/roles.js';
import { OfRows } from './blocks/of-rows.js';
import type { BlockProps } from './policy-context.js';

export const views: Readonly<Record<string, ComponentType<BlockProps>>> = {
  interfaceContainerBlock: Container,
  interfaceStepBlock: Container,
  module: Container,
  tool: Container,
  informationBlock: Information,
  policyRolesBlock: Roles,
  interfaceDocumentsSourceBlock: lazy(async () => import('./grid/grid.js')),
  requestVcDocumentBlock: lazy(async () => import('./form/form.js')),
  interfaceActionBlock: ActionBlock,
  groupManagerBlock: lazy(async () => import('./blocks/groups.js')),
  tokenConfirmationBlock: lazy(async () => import('./blocks/token-confirmation.js')),
  createTokenBlock: lazy(async () => import('./blocks/create-token.js')),
  uploadVcDocumentBlock: lazy(async () => import('./blocks/upload.js')),
  externalTopicBlock: lazy(async () => import('./blocks/external-topic.js')),
  reportBlock: lazy(async () => import('./blocks/report.js')),
  messagesReportBlock: lazy(async () => import('./blocks/messages-report.js')),
  buttonBlock: OfRows,
  integrationButtonBlock: OfRows,
  transformationButtonBlock: OfRows,
};
