/** What parts of options are for, beyond what their types say. */

const text = { type: ['string', 'null'] };

const column = {
  type: 'object',
  required: ['type'],
  properties: {
    name: { ...text, description: 'Path of the field in the document, such as `document.credentialSubject.0.amount`.' },
    title: text,
    type: {
      // A published policy has "test", which is shown as text.
      enum: ['text', 'button', 'block', 'unit', 'file', 'serials', 'issuer', 'test'],
      description: 'What the column shows: the value itself, or a block or button that is opened with the row.',
    },
    bindBlock: { ...text, description: 'Tag of the block that the column opens.' },
    bindBlocks: { type: 'array', items: { type: 'string' } },
    bindGroup: { ...text, description: 'Tag of the source whose rows have the column; blank for all.' },
  },
};

/** Members of `uiMetaData` that the engine leaves to front ends, and that have a form all the same. */
export const shownMembers = {
  interfaceDocumentsSourceBlock: {
    uiMetaData: { type: ['object', 'null'], properties: { fields: { type: ['array', 'null'], items: column } } },
  },
};

/** A button sets it in the document record, where `options` is not read. */
const field = { type: ['string', 'null'], not: { pattern: '^options\\.' } };

/** What entries of lists have to have, by block type and path of the list. */
export const entryRules = {
  buttonBlock: [[['uiMetaData', 'buttons'], { required: ['tag', 'type'], properties: { field } }]],
  sendToGuardianBlock: [[['options'], { required: ['name'] }]],
  switchBlock: [[['conditions'], { required: ['tag', 'type'] }]],
};

const date = { pattern: '^(\\d{4}-\\d{2}-\\d{2}(T.*)?)?$' };
/** Formulas have fields by their names alone. */
const formula = { not: { type: 'string', pattern: '\\bdocument\\.' } };

/** What options cannot be, beyond their types. */
export const optionRules = {
  mintDocumentBlock: { rule: formula },
  retirementDocumentBlock: { rule: formula },
  timerBlock: { startDate: date, endDate: date },
};
