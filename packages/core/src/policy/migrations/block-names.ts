/** 1.0.0: block types got the names that they still have. */
import { placesOf } from '../model/tree-walk.js';
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
    for (const place of placesOf(policy.root)) {
      const name = names.get(place.block.blockType);
      if (name === undefined) continue;
      policy.report(place, `The block type ${place.block.blockType} is now called ${name}.`);
      place.block.blockType = name;
    }
  },
};
