/** 1.3.0: blocks that mint or wipe say whose account they mean. */
import { placesOf } from '../model/tree-walk.js';
import type { MigrationStep } from './step.js';

const types = ['mintDocumentBlock', 'retirementDocumentBlock'];

export const accountType: MigrationStep = {
  version: '1.3.0',
  apply(policy) {
    for (const place of placesOf(policy.root)) {
      const { block } = place;
      if (!types.includes(block.blockType) || isSet(block['accountType'])) continue;
      block['accountType'] = 'default';
      policy.report(place, 'The account is set to "default", the account of the document owner.');
    }
  },
};

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
