/** 1.5.1: blocks that revoke are run by events only, so grids no longer show them in a column. */
import { isObject } from '../../records/index.js';
import { placesOfType, type MigrationStep } from './step.js';

export const revokeColumns: MigrationStep = {
  version: '1.5.1',
  apply(policy) {
    const revoking = new Set(placesOfType(policy, 'revokeBlock').map(({ block }) => block.tag));
    revoking.delete('');
    for (const place of placesOfType(policy, 'interfaceDocumentsSourceBlock')) {
      const { uiMetaData } = place.block;
      const columns: unknown = uiMetaData['fields'];
      if (!Array.isArray(columns)) continue;
      const kept = columns.filter((column) => !isObject(column) || !revoking.has(String(column['bindBlock'])));
      if (kept.length === columns.length) continue;
      place.block.uiMetaData = { ...uiMetaData, fields: kept };
      policy.report(place, `${columns.length - kept.length} column(s) that showed a revokeBlock are left out.`);
    }
  },
};
