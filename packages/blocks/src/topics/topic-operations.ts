/** User operations of an `externalTopicBlock`: choose a topic and a schema of another policy, or start over. */
import { type ExternalTopic, isObject, isoNow, type JsonObject, type RunContext } from '@blockwork/core/block';
import { commentOf, contextOf, definitionsIn, propertiesOf, resolved, schemaOf } from '../schemas/index.js';
import { type ForeignSchema, keepTopicState, newTopicState, type TopicState, topicStateOf } from './topic-state.js';

export interface TopicOptions {
  readonly schema: string;
}
type Context = RunContext<TopicOptions>;

const TOPIC_ID = /^\d+\.\d+\.\d+$/;

export async function setTopic(ctx: Context, value: string): Promise<void> {
  const state = await topicStateOf(ctx);
  if (!TOPIC_ID.test(value)) refuse(ctx, 'the id of a topic, such as 0.0.1234, is needed');
  if (state.status !== 'NEED_TOPIC') refuse(ctx, 'a topic is chosen already; start again to choose another');
  const topic = await ctx.ledger.externalTopic(value);
  if (topic === undefined) return refuse(ctx, `there is no topic ${value} of another policy that this one may read`);
  await keepTopicState(ctx, { ...stateOf(topic), lastUpdate: isoNow(ctx.clock) });
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

/** Levels of nested objects that are compared. */
const LEVELS = 20;

/** Each field of `own` that a user fills in is in `foreign` as well, with the same name, meaning and type, at every level. */
export const isCompatible = (own: JsonObject, foreign: JsonObject): boolean =>
  agree(sideOf(own, definitionsIn(own)), sideOf(foreign, definitionsIn(foreign)), 0);

interface Side {
  readonly schema: Record<string, unknown>;
  readonly definitions: ReadonlyMap<string, Record<string, unknown>>;
}

const sideOf = (schema: Record<string, unknown>, definitions: Side['definitions']): Side => ({ schema, definitions });

function agree(own: Side, foreign: Side, level: number): boolean {
  if (level > LEVELS) return false;
  const others = propertiesOf(foreign.schema);
  return Object.entries(propertiesOf(own.schema)).every(([name, property]) => {
    if (isObject(property) && property.readOnly === true) return true;
    const other = Object.hasOwn(others, name) ? others[name] : undefined;
    const required = isRequired(own.schema, name) === isRequired(foreign.schema, name);
    return (
      required && fieldsAgree({ ...own, schema: asSchema(property) }, { ...foreign, schema: asSchema(other) }, level)
    );
  });
}

const asSchema = (property: unknown): Record<string, unknown> => (isObject(property) ? property : {});

const isRequired = ({ required }: Record<string, unknown>, name: string): boolean =>
  Array.isArray(required) && required.includes(name);

function fieldsAgree(own: Side, foreign: Side, level: number): boolean {
  if (!alike(own.schema, foreign.schema, ['title', 'description'])) return false;
  const [ownList, foreignList] = [own, foreign].map(({ schema }) => schema.type === 'array');
  if (ownList !== foreignList) return false;
  const [mine, theirs] = [inner(own), inner(foreign)];
  const isRef = typeof mine.schema.$ref === 'string';
  if (isRef !== (typeof theirs.schema.$ref === 'string')) return false;
  if (isRef) {
    const [here, there] = [resolved(mine.schema, own.definitions), resolved(theirs.schema, foreign.definitions)];
    return (
      here !== undefined &&
      there !== undefined &&
      agree({ ...own, schema: here }, { ...foreign, schema: there }, level + 1)
    );
  }
  const [ours, others] = [commentOf(own.schema), commentOf(foreign.schema)];
  return (
    alike(mine.schema, theirs.schema, ['type', 'format', 'pattern']) &&
    alike(ours, others, ['unit', 'unitSystem', 'customType'])
  );
}

const inner = (side: Side): Side =>
  side.schema.type === 'array' ? { ...side, schema: asSchema(side.schema.items) } : side;

const alike = (a: Record<string, unknown>, b: Record<string, unknown>, members: readonly string[]): boolean =>
  members.every((member) => (a[member] ?? '') === (b[member] ?? ''));
