/** `multiSignBlock`: members of a group sign or refuse a document, until enough agree (reference engine, section 7.29). */
import {
  defineBlock,
  type DocumentRecord,
  finding,
  heading,
  isObject,
  type Json,
  type JsonObject,
  MEMBER_REMOVED,
  pastRow,
  type PolicyUser,
  type ReadContext,
  REFRESH,
  type RunContext,
  tolerant,
} from '@blockwork/core/block';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { statedStatus } from '../common/document-status.js';
import { publishAndStore } from '../common/publish-and-store.js';
import { demandSignedByUser, distrust } from '../common/signed-by-user.js';
import { credentialsIn, subjectOf } from '../common/subject.js';
import { percent, tally, type Tally } from './tally.js';
import { cast, decide, openIn, openPolls, type Poll, pollOn } from './votes.js';

const options = z.strictObject({
  /** Percent of the members who must sign. */
  threshold: z
    .union([z.number(), z.string().trim().min(1)])
    .transform(Number)
    .pipe(z.number()),
  type: tolerant.text,
  user: tolerant.text,
});
type Options = z.infer<typeof options>;
/** Maximum number of credentials per vote. */
const CREDENTIALS_AT_MOST = 100;
type Decision = 'SignatureQuorumReachedEvent' | 'SignatureSetInsufficientEvent';

const ballot = z.object({
  /** The row of the grid; only its id is used. */
  document: z.looseObject({ id: z.string().min(1) }),
  status: z.enum(['SIGNED', 'DECLINED']),
  /** For users who hold their own key: the document's subjects signed outside, one credential each, in order. */
  credentials: z
    .array(z.custom<JsonObject>(isObject, { message: 'must be a credential' }))
    .max(CREDENTIALS_AT_MOST)
    .optional(),
});

const removal = z.object({ group: z.string(), did: z.string() });

export const multiSignBlock = defineBlock({
  type: 'multiSignBlock',
  title: 'Multiple signatures',
  description: 'Members of a group sign or decline the documents of a grid until the threshold decides.',
  kind: 'interface',
  parents: ['interfaceDocumentsSourceBlock'],
  inputs: [MEMBER_REMOVED],
  outputs: ['SignatureQuorumReachedEvent', 'SignatureSetInsufficientEvent'],
  pure: true,
  options,
  input: ballot,

  check(node, { threshold }) {
    if (threshold >= 0 && threshold <= 100) return [];
    const message = `The threshold of "${node.tag}" must be a percentage from 0 to 100; it is ${String(threshold)}.`;
    return [finding(node, { message, path: '/threshold' })];
  },

  gathers: openPolls,

  read: shownBlock,

  async receive(ctx, { document: { id }, status, credentials: signed }) {
    const document = await storedDocument(ctx, id);
    const isOffered = (await ctx.offered(id)) !== undefined;
    if (!isOffered && (await pastRow(ctx, document)) === undefined) {
      return ctx.fail('DOCUMENT_UNKNOWN', { facts: { documentId: id } });
    }
    const { votes, decided } = await pollOn(ctx.entries, id);
    const { did, group, role } = ctx.user;
    if (decided !== null || votes.some((vote) => vote.did === did)) {
      return ctx.fail('ALREADY_SIGNED', { facts: { documentId: id } });
    }
    if (!isOffered) return ctx.fail('ALREADY_DECIDED', { facts: { documentId: id, status: statedStatus(document) } });
    const credentials = status === 'SIGNED' ? await signedCopies(ctx, document, signed) : [];
    await cast(ctx.entries, id, { did, group: group ?? '', role: role ?? '', status, credentials });
    await settle(ctx, document, ctx.user);
    ctx.emit(REFRESH);
  },

  async enrich(ctx, rows) {
    const voters = await votersWith(ctx, ctx.user);
    return Promise.all(
      rows.map(async (row) => {
        const status = await shown(await pollOn(ctx.entries, row.id), voters, ctx);
        const blocks = { ...(row.blocks as JsonObject | undefined) };
        return { ...row, blocks: { ...blocks, [ctx.block.uuid]: { ...shownBlock(ctx), status } } };
      }),
    );
  },

  on: {
    /** With one voter fewer, the existing votes may suffice. The run continues as the last voter. */
    async [MEMBER_REMOVED](ctx, { data }) {
      const { group, did } = removal.parse(data);
      for (const id of await openIn(ctx.entries, group)) {
        const document = await ctx.documents.get(id);
        const { votes } = await pollOn(ctx.entries, id);
        const last = votes.filter((vote) => vote.group === group && vote.did !== did).at(-1);
        if (document !== undefined && last !== undefined) {
          await settle(ctx, document, await ctx.users.as(last.did, group));
        }
      }
      ctx.emit(REFRESH);
    },
  },
});

const storedDocument = async (ctx: RunContext<Options, Decision>, id: string): Promise<DocumentRecord> =>
  (await ctx.documents.get(id)) ?? ctx.fail('DOCUMENT_UNKNOWN', { facts: { documentId: id } });

/** The content of the document, signed by the voter; the voter's copy has a separate id. */
async function signedCopies(
  ctx: RunContext<Options, Decision>,
  { document }: DocumentRecord,
  signed: readonly JsonObject[] | undefined,
): Promise<JsonObject[]> {
  const subjects = credentialsIn(document)
    .map(subjectOf)
    .filter((subject) => subject !== undefined);
  const { did: issuer, group } = ctx.user;
  if (signed !== undefined && !(await ctx.credentials.holdsKeyOf(issuer))) return demandCopies(ctx, subjects, signed);
  return Promise.all(subjects.map((subject) => ctx.credentials.issue({ issuer, group, subject })));
}

/** Signed outside by the voter, with exactly the content of the document. */
async function demandCopies(
  ctx: RunContext<Options, Decision>,
  subjects: readonly JsonObject[],
  copies: readonly JsonObject[],
): Promise<JsonObject[]> {
  if (copies.length !== subjects.length) distrust(ctx, `there must be ${String(subjects.length)} of them`);
  for (const [at, credential] of copies.entries()) {
    await ctx.budget.giveWay();
    const subject = await demandSignedByUser(ctx, credential);
    if (!isDeepStrictEqual(subject, subjects[at])) distrust(ctx, 'its subject is not that of the document');
  }
  return [...copies];
}

/** The members with the user's group and role; a user without a group decides alone. */
async function votersWith(ctx: ReadContext<Options>, { did, group, role }: PolicyUser): Promise<ReadonlySet<string>> {
  if (group === null) return new Set([did]);
  const members = await ctx.memberships.inGroup(group);
  return new Set(members.filter((member) => member.role === role).map((member) => member.did));
}

function count({ votes }: Poll, voters: ReadonlySet<string>, { threshold }: Options): Tally {
  const counted = votes.filter(({ did }) => voters.has(did)).map(({ status }) => status);
  return tally(voters.size, threshold, counted);
}

/** Decides the document once the votes of the voter's group suffice, and emits it. */
async function settle(ctx: RunContext<Options, Decision>, document: DocumentRecord, voter: PolicyUser): Promise<void> {
  const poll = await pollOn(ctx.entries, document.id);
  const voters = await votersWith(ctx, voter);
  const { outcome } = count(poll, voters, ctx.options);
  if (outcome === null || poll.decided !== null) return;
  await decide(ctx.entries, document.id, poll, outcome);
  if (outcome === 'SIGNED') {
    const counted = poll.votes.filter(({ did }) => voters.has(did));
    await publishSignatures(
      ctx,
      document,
      counted.flatMap(({ credentials }) => credentials),
    );
  }
  const output = outcome === 'SIGNED' ? 'SignatureQuorumReachedEvent' : 'SignatureSetInsufficientEvent';
  ctx.emit(output, document, { user: voter });
}

/** The block's data, standalone and per row. */
function shownBlock(ctx: ReadContext<Options>): JsonObject {
  const { type, user } = ctx.options;
  return { ...heading(ctx), type, uiMetaData: ctx.block.uiMetaData, user };
}

async function shown(
  poll: Poll,
  voters: ReadonlySet<string>,
  { user, users, options }: ReadContext<Options>,
): Promise<Json> {
  const { outcome: _outcome, ...counts } = count(poll, voters, options);
  const { total, signedCount, declinedCount } = counts;
  return {
    ...counts,
    documentStatus: poll.votes.find(({ did }) => did === user.did)?.status ?? 'NEW',
    confirmationStatus: poll.decided,
    data: await Promise.all(
      poll.votes
        .filter(({ did }) => voters.has(did))
        .map(async ({ did, group, status }) => ({ did, username: await users.nameOf(did), group, status })),
    ),
    signedPercent: percent(signedCount, total),
    declinedPercent: percent(declinedCount, total),
    threshold: options.threshold,
  };
}

/** Signed by the policy's owner, published, and stored for the owner of the document. */
async function publishSignatures(
  ctx: RunContext,
  { owner, group, messageId }: DocumentRecord,
  credentials: readonly JsonObject[],
): Promise<DocumentRecord> {
  return publishAndStore(ctx, {
    dataType: 'vp-documents',
    type: 'MULTI_SIGN',
    owner,
    ...(group === undefined ? {} : { group }),
    document: await ctx.credentials.present(ctx.policy.owner, credentials),
    relationships: typeof messageId === 'string' ? [messageId] : [],
  });
}
