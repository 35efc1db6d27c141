/** Input of a `tagsManager`. */
import { isObject, type JsonObject } from '@blockwork/core/block';
import { z } from 'zod';

/** Maximum number of documents per search. */
const TARGETS_AT_MOST = 100;

const name = z.string().trim().min(1).max(100);
const description = z.string().trim().max(2_000);
const documentId = z.string().min(1).max(200);

/** Rows have it in `localTarget`; some clients send it as `target`. */
const newTag = z
  .object({
    name,
    description: description.nullish(),
    /** The subject of a credential, of one of the block's schemas. */
    document: z.custom<JsonObject>(isObject, { message: 'must be an object' }).nullish(),
    localTarget: documentId.nullish(),
    target: documentId.nullish(),
  })
  .transform(({ description: text, document, localTarget, target, ...tag }) => ({
    ...tag,
    description: text ?? '',
    document: document ?? null,
    documentId: localTarget ?? target ?? '',
  }));
export type NewTag = z.output<typeof newTag>;

export const tagInput = z.discriminatedUnion('operation', [
  z.object({ operation: z.literal('create'), tag: newTag }),
  z.object({ operation: z.literal('search'), targets: z.array(documentId).max(TARGETS_AT_MOST) }),
  z.object({ operation: z.literal('synchronization'), target: documentId }),
  z.object({ operation: z.literal('delete'), uuid: z.uuid() }),
]);
