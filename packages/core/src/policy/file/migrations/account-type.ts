/** 1.3.0: blocks that mint or wipe name the account they apply to. */
import { walkTree } from '../../model/tree-walk.js';
import type { MigrationStep } from './step.js';

const types = ['mintDocumentBlock', 'retirementDocumentBlock'];

export const accountType: MigrationStep = {
  version: '1.3.0',
  apply(policy) {
    for (const position of walkTree(policy.root)) {
      const { block } = position;
      if (!types.includes(block.blockType) || isSet(block['accountType'])) continue;
      block['accountType'] = 'default';
      policy.report(position, 'The account is set to "default", the account of the document owner.');
    }
  },
};

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
