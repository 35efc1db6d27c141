/** Per-user state of an `externalTopicBlock`. */
import { tolerant, type ReadContext, type RunContext } from '@blockwork/core/block';
import { z } from 'zod';

/** In the order in which a user goes through them. */
const topicStatuses = ['NEED_TOPIC', 'NEED_SCHEMA', 'FREE'] as const;

const foreignSchema = z.object({
  /** Address of the schema's context, by which documents name it. */
  id: z.string(),
  name: z.string(),
  cid: z.string(),
  status: z.enum(['NOT_VERIFIED', 'INCOMPATIBLE', 'COMPATIBLE']),
});
export type ForeignSchema = z.infer<typeof foreignSchema>;

const message = z.record(z.string(), z.json()).nullable();

const topicState = z.object({
  documentTopicId: tolerant.text,
  policyTopicId: tolerant.text,
  instanceTopicId: tolerant.text,
  documentMessage: message,
  policyMessage: message,
  policyInstanceMessage: message,
  schemas: z.array(foreignSchema),
  schemaId: tolerant.text,
  /** Id of the last message that was looked at. */
  lastMessage: tolerant.text,
  lastUpdate: tolerant.text,
  status: z.enum(topicStatuses),
});
export type TopicState = z.infer<typeof topicState>;

export const newTopicState: TopicState = {
  documentTopicId: '',
  policyTopicId: '',
  instanceTopicId: '',
  documentMessage: null,
  policyMessage: null,
  policyInstanceMessage: null,
  schemas: [],
  schemaId: '',
  lastMessage: '',
  lastUpdate: '',
  status: 'NEED_TOPIC',
};

/** Key of the rows; the id of each is the user's key, by which the timer finds them. */
const STATES = 'topics';

export async function topicStateOf({ entries, user }: ReadContext): Promise<TopicState> {
  const parsed = topicState.safeParse((await entries.get(user.key))?.value);
  return parsed.success ? parsed.data : newTopicState;
}

export const keepTopicState = ({ entries, user }: RunContext, value: TopicState): Promise<void> =>
  entries.put({ id: user.key, key: STATES, value });

/** Keys of the users whose topic and schema are chosen. */
export async function followingUsers({ entries }: ReadContext): Promise<string[]> {
  const rows = await entries.find(STATES);
  return rows.filter(({ value }) => topicState.safeParse(value).data?.status === 'FREE').map(({ id }) => id);
}
