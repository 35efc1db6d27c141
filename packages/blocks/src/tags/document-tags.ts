/** The tags on documents that one block stores. */
import { isObject, type EntryReader, type EntryWriter, type Json, type JsonObject } from '@blockwork/core/block';
import { z } from 'zod';

const tag = z.object({
  uuid: z.string(),
  name: z.string(),
  description: z.string(),
  owner: z.string(),
  date: z.string(),
  /** Id of the document. */
  localTarget: z.string(),
  /** The message of the document, if it was published before it was tagged. */
  target: z.string().nullable(),
  /** Of the tag, in the topic of the document. */
  topicId: z.string().nullable(),
  messageId: z.string().nullable(),
  /** A credential. */
  document: z.custom<JsonObject>(isObject).nullable(),
});
export type Tag = z.infer<typeof tag>;

const entryId = (uuid: string): string => `tag/${uuid}`;

/** In order of creation. */
export const tagsOn = async (entries: EntryReader, documentId: string): Promise<Tag[]> =>
  (await entries.find(documentId)).map(({ value }) => tag.parse(value));

export async function tagOf(entries: EntryReader, uuid: string): Promise<Tag | undefined> {
  const entry = await entries.get(entryId(uuid));
  return entry === undefined ? undefined : tag.parse(entry.value);
}

export const keepTag = (entries: EntryWriter, tag: Tag): Promise<void> =>
  entries.put({ id: entryId(tag.uuid), key: tag.localTarget, value: tag });

export const removeTag = (entries: EntryWriter, { uuid }: Tag): Promise<void> => entries.remove(entryId(uuid));

/** In the format expected by clients of the reference engine. */
export const shownTag = (tag: Tag, policyId: string): JsonObject => ({
  ...tag,
  id: tag.uuid,
  policyId,
  entity: 'PolicyDocument',
  status: tag.messageId === null ? 'Draft' : 'Published',
  operation: 'Create',
  uri: '',
});

/** All tags of a document. Their date is that of the last one, or `since` without any. */
export function shownTags(
  tags: readonly Tag[],
  { documentId, policyId, owner, since }: Readonly<Record<'documentId' | 'policyId' | 'owner' | 'since', string>>,
): Json {
  return {
    entity: 'PolicyDocument',
    refreshDate: tags.at(-1)?.date ?? since,
    target: documentId,
    owner,
    tags: tags.map((each) => shownTag(each, policyId)),
  };
}
