/** The columns of a grid whose policy names none. */
import type { Column } from '@blockwork/react/rows';
import { texts } from '../../texts.js';

export const usualColumns: readonly Column[] = [
  { title: texts.page.document, name: 'document', action: 'dialog', content: texts.page.open },
  { title: texts.page.status, name: 'option.status' },
  { title: texts.page.owner, name: 'owner' },
  { title: texts.page.changed, name: 'updateDate' },
];
