/** `externalTopicBlock`: imports documents that another policy published in one of its topics. */
import {
  defineBlock,
  finding,
  heading,
  passOn,
  RELEASE,
  tolerant,
  type DocumentInput,
  type RunContext,
} from '@blockwork/core/block';
import { Cron } from 'croner';
import { z } from 'zod';
import { loadDocuments } from './load-documents.js';
import { refuse, restart, setSchema, setTopic, verifySchemas, type TopicOptions } from './topic-operations.js';
import { followingUsers, topicStateOf } from './topic-state.js';

const operations = [
  'SetTopic',
  'VerificationSchema',
  'VerificationSchemas',
  'SetSchema',
  'LoadDocuments',
  'Restart',
] as const;

const input = z.object({ operation: z.enum(operations), value: z.string().trim().max(500).nullish() });

/** Looks for new documents at midnight (UTC). */
const nightly = new Cron('0 0 * * *', { timezone: 'UTC', paused: true });

export const externalTopicBlock = defineBlock({
  type: 'externalTopicBlock',
  title: 'Documents of another policy',
  description: "Imports the user's documents that another policy published in one of its topics.",
  kind: 'interface',
  children: ['source', 'addon'],
  inputs: ['TimerEvent'],
  outputs: [RELEASE],
  pure: true,
  options: z.strictObject({ schema: tolerant.text }),
  input,
  references: ({ schema }) => [{ to: 'schema', name: schema, path: '/schema' }],
  check: (node, { schema }) =>
    schema === ''
      ? [finding(node, { path: '/schema', message: `"${node.tag}" does not say of which schema its documents are.` })]
      : [],
  timetable: () => ({ next: (after) => nightly.nextRun(new Date(after))?.getTime() ?? null }),
  async read(ctx) {
    const { schemaId, schemas, ...state } = await topicStateOf(ctx);
    const schema = schemas.find(({ id }) => id === schemaId) ?? null;
    return { ...heading(ctx), ...state, schemas, schemaId, schema, active: true };
  },
  async receive(ctx, { operation, value = null }) {
    switch (operation) {
      case 'SetTopic':
        return setTopic(ctx, value ?? '');
      case 'VerificationSchema':
        return verifySchemas(ctx, value ?? '');
      case 'VerificationSchemas':
        return verifySchemas(ctx, null);
      case 'SetSchema':
        return setSchema(ctx, value ?? '');
      case 'Restart':
        return restart(ctx);
      case 'LoadDocuments':
        if ((await topicStateOf(ctx)).status !== 'FREE') refuse(ctx, 'a topic and a schema must be chosen first');
        return takeIn(ctx);
    }
  },
  on: {
    /** Each user's documents are imported on that user's behalf. */
    async TickEvent(ctx) {
      for (const key of await followingUsers(ctx)) {
        ctx.raise(ctx.block, 'TimerEvent', null, { user: await ctx.users.byKey(key) });
      }
    },
    async TimerEvent(ctx) {
      if ((await topicStateOf(ctx)).status === 'FREE') await takeIn(ctx);
    },
  },
});

/** Each document starts a separate run. */
async function takeIn(ctx: RunContext<TopicOptions, typeof RELEASE>): Promise<void> {
  const documents: DocumentInput[] = await loadDocuments(ctx);
  for (const document of documents) passOn(ctx, document);
}
