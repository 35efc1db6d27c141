/** The votes on documents that one multi-sign block stores, and their outcome. */
import { isObject, type Condition, type EntryReader, type EntryWriter, type JsonObject } from '@blockwork/core/block';
import { z } from 'zod';
import type { VoteStatus } from './tally.js';

const status = z.enum(['SIGNED', 'DECLINED']);
const credential = z.custom<JsonObject>(isObject);

const vote = z.object({
  did: z.string(),
  /** Empty for a user without a group. */
  group: z.string(),
  role: z.string(),
  status,
  /** The voter's own signed copies; none of a refusal. */
  credentials: z.array(credential),
});
export type Vote = z.infer<typeof vote>;

const row = z.union([z.object({ vote }), z.object({ decided: status })]);

export interface Poll {
  /** In the order in which they were cast. */
  readonly votes: readonly Vote[];
  readonly decided: VoteStatus | null;
}

export async function pollOn(entries: EntryReader, documentId: string): Promise<Poll> {
  const rows = (await entries.find(documentKey(documentId))).map(({ value }) => row.parse(value));
  return {
    votes: rows.flatMap((each) => ('vote' in each ? [each.vote] : [])),
    decided: rows.flatMap((each) => ('decided' in each ? [each.decided] : []))[0] ?? null,
  };
}

export async function cast(entries: EntryWriter, documentId: string, vote: Vote): Promise<void> {
  await entries.put({
    id: voteId(documentId, vote.did),
    key: documentKey(documentId),
    value: { vote },
  });
  await entries.put({ id: openId(vote.group, documentId), key: openKey(vote.group), value: documentId });
}

export async function decide(
  entries: EntryWriter,
  documentId: string,
  { votes }: Poll,
  decided: VoteStatus,
): Promise<void> {
  await entries.put({ id: `decided/${documentId}`, key: documentKey(documentId), value: { decided } });
  for (const group of new Set(votes.map((each) => each.group))) await entries.remove(openId(group, documentId));
}

/** One row per document with an open vote of a group. */
export const openPolls: Condition = {
  all: [
    { path: 'key', op: 'gte', value: 'open/' },
    { path: 'key', op: 'lt', value: 'open0' },
  ],
};

/** Undecided documents that members of the group have voted on. */
export const openIn = async (entries: EntryReader, group: string): Promise<string[]> =>
  (await entries.find(openKey(group))).map(({ value }) => z.string().parse(value));

/** Unambiguous, whatever the parts contain. */
const voteId = (documentId: string, did: string): string => `vote/${encodeURIComponent(documentId)}/${did}`;
const documentKey = (documentId: string): string => `document/${documentId}`;
const openKey = (group: string): string => `open/${group}`;
const openId = (group: string, documentId: string): string => `open/${group}/${documentId}`;
