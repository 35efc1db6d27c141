/** 1.5.1: blocks that revoke only run on events, so grids no longer show them in a column. */
import { isObject } from '../../../records/index.js';
import { blocksOfType, type MigrationStep } from './step.js';

export const revokeColumns: MigrationStep = {
  version: '1.5.1',
  apply(policy) {
    const revoking = new Set(blocksOfType(policy, 'revokeBlock').map(({ block }) => block.tag));
    revoking.delete('');
    for (const position of blocksOfType(policy, 'interfaceDocumentsSourceBlock')) {
      const { uiMetaData } = position.block;
      const columns: unknown = uiMetaData['fields'];
      if (!Array.isArray(columns)) continue;
      const kept = columns.filter((column) => !isObject(column) || !revoking.has(String(column['bindBlock'])));
      if (kept.length === columns.length) continue;
      position.block.uiMetaData = { ...uiMetaData, fields: kept };
      policy.report(position, `${columns.length - kept.length} column(s) that showed a revokeBlock are left out.`);
    }
  },
};
