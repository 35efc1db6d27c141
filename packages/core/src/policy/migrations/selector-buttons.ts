/** 1.2.0: an action block that offers options became a block of buttons. */
import { isObject } from '../../records/index.js';
import { placesOfType, type MigrationStep } from './step.js';

export const selectorButtons: MigrationStep = {
  version: '1.2.0',
  apply(policy) {
    for (const place of placesOfType(policy, 'interfaceActionBlock')) {
      const { block } = place;
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
      policy.report(place, `The action block with options is now a buttonBlock with ${buttons.length} buttons.`);
    }
  },
};
