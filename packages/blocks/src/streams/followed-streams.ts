/** Per-user state of a `globalEventsReaderBlock`: followed streams and read positions. */
import type { ReadContext, RunContext } from '@blockwork/core/block';
import { z } from 'zod';

/** Texts by which a branch of a stream is narrowed: what a field, by its name or title, must be. */
export const fieldFilters = z.record(z.string().max(200), z.record(z.string().max(200), z.string().max(1000)));

const followed = z.object({
  active: z.boolean(),
  filterFieldsByBranch: fieldFilters,
  /** The last position that was looked at, by source. */
  positions: z.record(z.string(), z.string()),
  lastMessageCursor: z.string(),
  /** Numbers of accepted and of invalid events. */
  taken: z.number(),
  setAside: z.number(),
});
export type Followed = z.infer<typeof followed>;

const followedStreams = z.record(z.string(), followed);
export type FollowedStreams = z.infer<typeof followedStreams>;

export const newlyFollowed = (active: boolean): Followed => ({
  ...{ active, filterFieldsByBranch: {}, positions: {}, lastMessageCursor: '' },
  ...{ taken: 0, setAside: 0 },
});

/** Key of the rows; the id of each is the user's key, by which the timer finds them. */
const FOLLOWERS = 'followers';

/** `undefined` for a user who does not read yet. */
export async function followedBy({ entries, user }: ReadContext): Promise<FollowedStreams | undefined> {
  return followedStreams.safeParse((await entries.get(user.key))?.value).data;
}

export const keepFollowed = ({ entries, user }: RunContext, value: FollowedStreams): Promise<void> =>
  entries.put({ id: user.key, key: FOLLOWERS, value });

/** Keys of the users who read. */
export const followers = async ({ entries }: ReadContext): Promise<string[]> =>
  (await entries.find(FOLLOWERS)).map(({ id }) => id);
