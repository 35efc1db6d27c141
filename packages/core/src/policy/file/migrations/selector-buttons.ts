/** 1.2.0: action blocks with options became button blocks. */
import { isObject } from '../../../records/index.js';
import { blocksOfType, type MigrationStep } from './step.js';

export const selectorButtons: MigrationStep = {
  version: '1.2.0',
  apply(policy) {
    for (const position of blocksOfType(policy, 'interfaceActionBlock')) {
      const { block } = position;
      if (block['type'] !== 'selector') continue;
      const field = block['field'] ?? block.uiMetaData['field'] ?? '';
      const options = block.uiMetaData['options'];
      const buttons = (Array.isArray(options) ? options : []).filter(isObject).map((option) => ({
        tag: option['tag'] ?? '',
        name: option['name'] ?? '',
        type: 'selector',
        filters: [],
        field,
        value: option['value'] ?? '',
        uiClass: option['uiClass'] ?? '',
      }));
      block.blockType = 'buttonBlock';
      block.uiMetaData = { ...block.uiMetaData, buttons };
      policy.report(position, `The action block with options is now a buttonBlock with ${buttons.length} buttons.`);
    }
  },
};
