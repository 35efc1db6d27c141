/** User operations of an `externalTopicBlock`: choose a topic and a schema of another policy, or start over. */
import { isoNow, type ExternalTopic, type JsonObject, type RunContext } from '@blockwork/core/block';
import { contextOf, schemaOf } from '../schemas/index.js';
import { isCompatible } from './compatible-schemas.js';
import { keepTopicState, newTopicState, topicStateOf, type ForeignSchema, type TopicState } from './topic-state.js';

export interface TopicOptions {
  readonly schema: string;
}
type Context = RunContext<TopicOptions>;

const TOPIC_ID = /^\d+\.\d+\.\d+$/;

export async function setTopic(ctx: Context, value: string): Promise<void> {
  const state = await topicStateOf(ctx);
  if (!TOPIC_ID.test(value)) refuse(ctx, 'the id of a topic, such as 0.0.1234, is needed');
  if (state.status !== 'NEED_TOPIC') refuse(ctx, 'a topic is chosen already; start again to choose another');
  const found = await ctx.ledger.externalTopic(value);
  if (found === undefined) return refuse(ctx, `there is no topic ${value} of another policy that this one may read`);
  await keepTopicState(ctx, { ...stateOf(found), lastUpdate: isoNow(ctx.clock) });
}

function stateOf({ topic, topics, policy, schemas }: ExternalTopic): TopicState {
  const root = topics.find(({ name }) => name === 'root');
  const { id, name, description, version, messageId } = policy;
  const about: JsonObject = { name, description, version, messageId, policyId: id };
  return {
    ...newTopicState,
    documentTopicId: topic.id,
    instanceTopicId: root?.id ?? '',
    policyTopicId: root?.id ?? '',
    documentMessage: { topicId: topic.id, name: topic.name, owner: topic.owner, description: topic.memo },
    policyMessage: about,
    policyInstanceMessage: about,
    schemas: schemas
      .filter(({ document }) => document !== null)
      .map((schema) => ({ id: contextOf(schema), name: schema.name, cid: schema.id, status: 'NOT_VERIFIED' })),
    status: 'NEED_SCHEMA',
  };
}

/** Compares the schema with this id, or all of them, with the one of the block. */
export async function verifySchemas(ctx: Context, value: string | null): Promise<void> {
  const state = await topicStateOf(ctx);
  if (state.status !== 'NEED_SCHEMA') refuse(ctx, 'there is no schema to be chosen');
  const schemas: ForeignSchema[] = [];
  for (const schema of state.schemas) {
    schemas.push(value === null || schema.id === value ? await compared(ctx, state, schema) : schema);
  }
  if (value !== null && !schemas.some(({ id }) => id === value))
    refuse(ctx, 'the policy of the topic has no such schema');
  await keepTopicState(ctx, { ...state, schemas });
}

async function compared(ctx: Context, state: TopicState, schema: ForeignSchema): Promise<ForeignSchema> {
  const own = await schemaOf(ctx, ctx.options.schema);
  const topic = await ctx.ledger.externalTopic(state.documentTopicId);
  const foreign = topic?.schemas.find(({ id }) => id === schema.cid)?.document ?? null;
  return { ...schema, status: foreign !== null && isCompatible(own.document, foreign) ? 'COMPATIBLE' : 'INCOMPATIBLE' };
}

export async function setSchema(ctx: Context, value: string): Promise<void> {
  const state = await topicStateOf(ctx);
  if (state.status === 'NEED_TOPIC') refuse(ctx, 'a topic must be chosen first');
  if (state.status === 'FREE') refuse(ctx, 'a schema is chosen already; start again to choose another');
  const chosen = state.schemas.find(({ id }) => id === value);
  if (chosen === undefined) return refuse(ctx, 'the policy of the topic has no such schema');
  const { status } = await compared(ctx, state, chosen);
  const schemas = state.schemas.map((schema) => (schema === chosen ? { ...schema, status } : schema));
  if (status !== 'COMPATIBLE') refuse(ctx, `the schema "${chosen.name}" has other fields than the one of this block`);
  await keepTopicState(ctx, { ...state, schemas, schemaId: value, status: 'FREE' });
}

export const restart = (ctx: Context): Promise<void> => keepTopicState(ctx, newTopicState);

export function refuse(ctx: RunContext, reason: string): never {
  return ctx.fail('INPUT_INVALID', {
    facts: { reason: `Block "${ctx.block.tag}" cannot do this: ${reason}.` },
    details: [{ path: '/value', message: 'cannot be used' }],
  });
}
