/** The documents that an event carries. */
import { shapedLike, type DocumentInput } from '@blockwork/core/block';

export { documentsIn } from '@blockwork/core/block';
export type EventDocument = DocumentInput;
export const asData = shapedLike;
