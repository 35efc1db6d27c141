/** `globalEventsReaderBlock`: imports documents that other policies announced on streams, each exactly once. */
import {
  defineBlock,
  finding,
  heading,
  type ReadContext,
  type ReceivedEvent,
  REFRESH,
  RELEASE,
  type RunContext,
  tolerant,
} from '@blockwork/core/block';
import { Cron } from 'croner';
import { z } from 'zod';
import { receivedDocument } from './received-document.js';
import {
  assertDeclared,
  carryOut,
  declaredStream,
  documentType,
  isOn,
  streamFindings,
  streamsInput,
  withNextButton,
} from './stream-options.js';

/** Texts by which a branch of a stream is narrowed: what a field, by its name or title, must be. */
const fieldFilters = z.record(z.string().max(200), z.record(z.string().max(200), z.string().max(1000)));

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
type Followed = z.infer<typeof followed>;

const followedStreams = z.record(z.string(), followed);
type FollowedStreams = z.infer<typeof followedStreams>;

const newlyFollowed = (active: boolean): Followed => ({
  ...{ active, filterFieldsByBranch: {}, positions: {}, lastMessageCursor: '' },
  ...{ taken: 0, setAside: 0 },
});

/** Key of the rows; the id of each is the user's key, by which the timer finds them. */
const FOLLOWERS = 'followers';

/** `undefined` for a user who does not read yet. */
async function followedBy({ entries, user }: ReadContext): Promise<FollowedStreams | undefined> {
  return followedStreams.safeParse((await entries.get(user.key))?.value).data;
}

const keepFollowed = ({ entries, user }: RunContext, value: FollowedStreams): Promise<void> =>
  entries.put({ id: user.key, key: FOLLOWERS, value });

/** Keys of the users who read. */
const followers = async ({ entries }: ReadContext): Promise<string[]> =>
  (await entries.find(FOLLOWERS)).map(({ id }) => id);

const { listOf, text } = tolerant;

const branch = z.strictObject({ branchEvent: text, documentType: documentType('any'), schema: text });
const options = z.strictObject({ eventTopics: listOf(declaredStream), branches: listOf(branch), ...withNextButton });
type Options = z.infer<typeof options>;
type Context = RunContext<Options, string>;

const change = z.object({
  globalTopicId: z.string().trim().max(100),
  active: isOn,
  filterFieldsByBranch: fieldFilters.nullish(),
});
type Change = z.infer<typeof change>;

/** Maximum number of events per stream and run. The next run continues after them. */
export const EVENTS_AT_MOST = 100;

const halfHourly = new Cron('*/30 * * * *', { timezone: 'UTC', paused: true });

export const globalEventsReaderBlock = defineBlock({
  type: 'globalEventsReaderBlock',
  title: 'Reader of global events',
  description: 'Imports documents that other policies of the owner, and shared peers, announced on streams.',
  kind: 'interface',
  children: ['addon'],
  inputs: ['TimerEvent'],
  outputs: ({ branches }) => [
    RELEASE,
    ...new Set(branches.map(({ branchEvent }) => branchEvent).filter((name) => name !== '')),
  ],
  options,
  input: streamsInput(change),
  references: ({ branches }) =>
    branches.flatMap(({ schema }, at) =>
      schema === '' ? [] : [{ to: 'schema' as const, name: schema, path: `/branches/${String(at)}/schema` }],
    ),
  check: (node, { eventTopics, branches }) => [
    ...streamFindings(node, 'eventTopics', eventTopics),
    ...branches.flatMap(({ branchEvent }, at) =>
      branchEvent === ''
        ? [
            finding(node, {
              path: `/branches/${String(at)}/branchEvent`,
              message: `A branch of "${node.tag}" has no name.`,
            }),
          ]
        : [],
    ),
  ],
  timetable: () => ({ next: (after) => halfHourly.nextRun(new Date(after))?.getTime() ?? null }),
  async read(ctx) {
    const { eventTopics, branches, showNextButton } = ctx.options;
    const streams = await streamsOf(ctx);
    return {
      ...heading(ctx),
      streams: Object.entries(streams).map(([globalTopicId, { positions: _, ...stream }]) => ({
        globalTopicId,
        ...stream,
        status: 'FREE',
        branchDocumentTypeByBranch: Object.fromEntries(branches.map((each) => [each.branchEvent, each.documentType])),
      })),
      defaultTopicIds: eventTopics.map(({ topicId }) => topicId),
      branches: branches.map((each) => ({ ...each })),
      showNextButton,
      following: (await followedBy(ctx)) !== undefined,
      userId: ctx.user.did,
      userDid: ctx.user.did,
    };
  },
  receive: (ctx, input) => carryOut(ctx, input, { choose: (changes) => choose(ctx, changes), next: () => takeIn(ctx) }),
  on: {
    RunEvent: (ctx) => takeIn(ctx),
    /** Each user's documents are imported on that user's behalf. */
    async TickEvent(ctx) {
      for (const key of await followers(ctx)) {
        ctx.raise(ctx.block, 'TimerEvent', null, { user: await ctx.users.byKey(key) });
      }
    },
    async TimerEvent(ctx) {
      if ((await followedBy(ctx)) !== undefined) await takeIn(ctx);
    },
  },
});

async function choose(ctx: Context, changes: readonly Change[]): Promise<void> {
  for (const { globalTopicId } of changes) assertDeclared(ctx, ctx.options.eventTopics, globalTopicId);
  const streams = await streamsOf(ctx);
  for (const { globalTopicId, active, filterFieldsByBranch } of changes) {
    const before = streams[globalTopicId] ?? newlyFollowed(active);
    const filters = filterFieldsByBranch ?? before.filterFieldsByBranch;
    streams[globalTopicId] = { ...before, active, filterFieldsByBranch: filters };
  }
  await keepFollowed(ctx, streams);
}

/** The streams that the policy declares now, as this user follows them. */
async function streamsOf(ctx: ReadContext<Options>): Promise<FollowedStreams> {
  const streams = (await followedBy(ctx)) ?? {};
  return Object.fromEntries(
    ctx.options.eventTopics.map(({ topicId, active }) => [topicId, streams[topicId] ?? newlyFollowed(active)]),
  );
}

/** Positions advance in the same unit of work as the effects, so each event takes effect exactly once. */
async function takeIn(ctx: Context): Promise<void> {
  const streams = await streamsOf(ctx);
  let count = 0;
  for (const [name, stream] of Object.entries(streams)) {
    if (!stream.active) continue;
    const events = await ctx.streams.events(name, { after: stream.positions, limit: EVENTS_AT_MOST });
    for (const event of events) {
      await ctx.budget.giveWay();
      if (await takesPart(ctx, name, stream, event)) {
        stream.taken += 1;
        count += 1;
      } else stream.setAside += 1;
      stream.positions[event.source] = event.position;
      stream.lastMessageCursor = event.position;
    }
  }
  await keepFollowed(ctx, streams);
  if (count > 0) ctx.emit(REFRESH);
  ctx.emit(RELEASE);
}

/** Whether a branch has taken the event. */
async function takesPart(ctx: Context, name: string, stream: Followed, event: ReceivedEvent): Promise<boolean> {
  const { document, messageId, documentType: type } = event;
  if (document === null) return setAside(ctx, name, messageId, 'its document is not there, or its proof does not hold');
  const reasons: string[] = [];
  let isTaken = false;
  for (const each of ctx.options.branches) {
    if (each.documentType !== 'any' && type !== 'any' && each.documentType !== type) continue;
    const filters = stream.filterFieldsByBranch[each.branchEvent] ?? {};
    const received = await receivedDocument(ctx, each, { ...event, document }, filters);
    if (typeof received === 'string') {
      reasons.push(received);
      continue;
    }
    ctx.emit(each.branchEvent, received);
    isTaken = true;
  }
  return (
    isTaken || setAside(ctx, name, messageId, reasons.join(' ') || `no branch takes documents of the type "${type}"`)
  );
}

function setAside(ctx: Context, stream: string, messageId: string, reason: string): false {
  ctx.warn(`An event was set aside: ${reason.slice(0, 1000)}`, { stream, messageId });
  return false;
}
