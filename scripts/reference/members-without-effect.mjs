/** Members that the reference's editor writes and that published policies have, though they do nothing there. */

/** On blocks of any type. */
export const withoutEffect = ['artifacts', 'followUser', 'tags', 'schema'];

/** By block type. */
export const withoutEffectOn = {
  buttonBlock: ['bindBlock', 'field', 'name', 'value'],
  customLogicBlock: ['inputFields'],
  documentsSourceAddon: ['createdOrderDirection', 'documentType', 'entityType', 'type', 'viewHistory'],
  groupManagerBlock: ['visible'],
  interfaceActionBlock: ['bindBlock'],
  interfaceContainerBlock: ['dataSource', 'options', 'roles'],
  interfaceDocumentsSourceBlock: ['dataType', 'filters', 'onlyOwnDocuments'],
  reportItemBlock: ['sortType', 'uiSortByFieldPath', 'uiSortFieldPath'],
  sendToGuardianBlock: ['filters', 'forceNew'],
  tokenActionBlock: ['options'],
};

/** On entries of lists: filters, columns, files, parts of formulas. */
export const besidesMembers = [
  'description',
  'extention',
  'name',
  'relationships',
  'role',
  'target',
  'title',
  'tooltip',
  'type',
  'variable',
];
