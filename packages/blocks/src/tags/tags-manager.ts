/** `tagsManager`: users tag the rows of a grid. */
import {
  defineBlock,
  heading,
  isoNow,
  REFRESH,
  type DocumentRow,
  type Json,
  type JsonObject,
  type ReadContext,
  type RunContext,
  type SchemaRecord,
} from '@blockwork/core/block';
import { z } from 'zod';
import { demandValid, formSchema, schemaOf, typeOf } from '../schemas/index.js';
import { keepTag, removeTag, shownTag, shownTags, tagOf, tagsOn, type Tag } from './document-tags.js';
import { tagInput, type NewTag } from './tag-input.js';

/** Maximum number of tags per document. */
export const TAGS_AT_MOST = 50;

/** Maximum size of a tag's document, in characters. */
const CHARACTERS_AT_MOST = 20_000;

export const tagsManager = defineBlock({
  type: 'tagsManager',
  title: 'Tags',
  description: 'Lets users tag the rows of a grid. Tags are visible to every user who sees the row.',
  kind: 'interface',
  children: 'none',
  parents: ['interfaceDocumentsSourceBlock'],
  pure: true,
  options: z.object({}),
  input: tagInput,

  async read(ctx) {
    return { ...heading(ctx), uiMetaData: ctx.block.uiMetaData, tagSchemas: await tagSchemas(ctx) };
  },

  async enrich(ctx, rows) {
    const shown = { id: ctx.block.uuid, blockType: ctx.block.blockType, tagSchemas: await tagSchemas(ctx) };
    return Promise.all(
      rows.map(async (row) => {
        const blocks = { ...(row.blocks as JsonObject | undefined) };
        return { ...row, blocks: { ...blocks, [ctx.block.uuid]: { ...shown, tags: await tagsOfRow(ctx, row) } } };
      }),
    );
  },

  /** Returns the new tag, the tags found, or all tags of a document. */
  async receive(ctx, input) {
    switch (input.operation) {
      case 'create':
        return created(ctx, input.tag);
      case 'search': {
        const values: Json[] = [];
        for (const id of new Set(input.targets)) {
          await ctx.budget.giveWay();
          values.push(...(await tagsOfOffered(ctx, id)));
        }
        return values;
      }
      case 'synchronization':
        return tagsOfRow(ctx, (await ctx.offered(input.target)) ?? refuse(ctx, 'Invalid target', input.target));
      case 'delete':
        return deleted(ctx, input.uuid);
    }
  },
});

async function tagsOfRow(ctx: ReadContext, { id, owner, createDate }: DocumentRow): Promise<Json> {
  const about = { documentId: id, policyId: ctx.policy.id, owner, since: createDate };
  return shownTags(await tagsOn(ctx.entries, id), about);
}

/** Omits documents that the user cannot see. */
async function tagsOfOffered(ctx: ReadContext, documentId: string): Promise<Json[]> {
  if ((await ctx.offered(documentId)) === undefined) return [];
  return (await tagsOn(ctx.entries, documentId)).map((tag) => shownTag(tag, ctx.policy.id));
}

/** A tag on a published document is published beside it. */
async function created(ctx: RunContext, { documentId, document: subject, ...about }: NewTag): Promise<Json> {
  const row = (await ctx.offered(documentId)) ?? refuse(ctx, 'Invalid target', documentId);
  if ((await tagsOn(ctx.entries, row.id)).length >= TAGS_AT_MOST) {
    refuse(ctx, 'Invalid tag', `a document has ${String(TAGS_AT_MOST)} at most`);
  }
  const owner = ctx.user.did;
  const document = subject === null ? null : await signed(ctx, subject);
  const target = row.messageId ?? null;
  const facts = { ...about, uuid: ctx.ids.uuid(), owner, date: isoNow(ctx.clock), localTarget: row.id };
  const message = target === null ? undefined : await announce(ctx, row, 'Create', { ...about, uuid: facts.uuid });
  const { topicId = null, id: messageId = null } = message ?? {};
  const tag: Tag = { ...facts, target, topicId, messageId, document };
  await keepTag(ctx.entries, tag);
  ctx.emit(REFRESH);
  return shownTag(tag, ctx.policy.id);
}

/** Only the user's own. A ledger message is permanent, so another message records the deletion. */
async function deleted(ctx: RunContext, uuid: string): Promise<void> {
  const tag = await tagOf(ctx.entries, uuid);
  if (tag?.owner !== ctx.user.did) return refuse(ctx, 'Invalid tag', uuid);
  await removeTag(ctx.entries, tag);
  const document = await ctx.documents.get(tag.localTarget);
  if (tag.messageId !== null && document !== undefined) await announce(ctx, document, 'Delete', { uuid });
  ctx.emit(REFRESH);
}

function announce(
  ctx: RunContext,
  { topicId, messageId }: Pick<DocumentRow, 'topicId' | 'messageId'>,
  operation: string,
  about: JsonObject,
): ReturnType<RunContext['ledger']['publish']> {
  const body = { ...about, operation, entity: 'PolicyDocument', target: messageId ?? null };
  const topic = typeof topicId === 'string' ? { id: topicId } : 'root';
  return ctx.ledger.publish({ topic, type: 'tag', owner: ctx.user.did, body });
}

/** A subject of one of the schemas for tags, as a credential of the tagging user. */
async function signed(ctx: RunContext, subject: JsonObject): Promise<JsonObject> {
  const schema = (await schemasOfTags(ctx)).find(({ id }) => typeOf(id) === subject.type);
  if (schema === undefined) return refuse(ctx, 'Invalid tag', 'its document is of no schema for tags');
  if (JSON.stringify(subject).length > CHARACTERS_AT_MOST) {
    refuse(ctx, 'Invalid tag', `its document has more than ${String(CHARACTERS_AT_MOST)} characters`);
  }
  demandValid(ctx, await schemaOf(ctx, schema.id), subject, '/tag/document');
  const { did: issuer, group } = ctx.user;
  return ctx.credentials.issue({ issuer, group, subject });
}

const schemasOfTags = async ({ definitions }: ReadContext): Promise<SchemaRecord[]> =>
  (await definitions.schemas()).filter(
    ({ status, entity, source }) => status === 'PUBLISHED' && (entity === 'TAG' || source.category === 'TAG'),
  );

const tagSchemas = async (ctx: ReadContext): Promise<JsonObject[]> => (await schemasOfTags(ctx)).map(formSchema);

const refuse = (ctx: RunContext, what: string, which: string): never =>
  ctx.fail('INPUT_INVALID', { facts: { reason: `${what}: ${which}.` } });
