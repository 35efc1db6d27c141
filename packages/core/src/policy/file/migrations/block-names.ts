/** 1.0.0: block types got their present names. */
import { walkTree } from '../../model/tree-walk.js';
import type { MigrationStep } from './step.js';

const names = new Map([
  ['interfaceDocumentsSource', 'interfaceDocumentsSourceBlock'],
  ['requestVcDocument', 'requestVcDocumentBlock'],
  ['sendToGuardian', 'sendToGuardianBlock'],
  ['interfaceAction', 'interfaceActionBlock'],
  ['mintDocument', 'mintDocumentBlock'],
  ['aggregateDocument', 'aggregateDocumentBlock'],
  ['wipeDocument', 'retirementDocumentBlock'],
]);

export const blockNames: MigrationStep = {
  version: '1.0.0',
  apply(policy) {
    for (const position of walkTree(policy.root)) {
      const name = names.get(position.block.blockType);
      if (name === undefined) continue;
      policy.report(position, `The block type ${position.block.blockType} is now called ${name}.`);
      position.block.blockType = name;
    }
  },
};
