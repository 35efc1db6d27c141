/** Text as fields: one line each, as it is typed, or as cells are copied from a spreadsheet. */
import { fieldTypeNames, type FieldType } from '@blockwork/contract/schema-model';

export interface PastedField {
  readonly question: string;
  readonly type: FieldType;
  readonly unit?: string;
  readonly isRequired: boolean;
}

/** Types that need no more to be said. */
const typesToName = fieldTypeNames.filter((name) => name !== 'Reference' && name !== 'Other');
const otherNames: Readonly<Record<string, FieldType>> = {
  text: 'String',
  choice: 'Enum',
  'yes or no': 'Boolean',
  'date and time': 'DateTime',
};

/** Cells: the question, the type, the unit, and whether it is required, in this order; all but the first may be missing. */
export const pastedFields = (text: string): PastedField[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [question = '', type = '', unit = '', required = ''] = line.split('\t').map((cell) => cell.trim());
    if (question === '') return [];
    const isRequired = /^(yes|true|x|required|\*)$/i.test(required);
    return [{ question, type: typeCalled(type), isRequired, ...(unit !== '' && { unit }) }];
  });

function typeCalled(name: string): FieldType {
  const lower = name.toLowerCase();
  return typesToName.find((type) => type.toLowerCase() === lower) ?? otherNames[lower] ?? 'String';
}
