/** `globalEventsWriterBlock`: announces documents on streams that other policies read. */
import {
  defineBlock,
  documentsIn,
  heading,
  passOn,
  REFRESH,
  RELEASE,
  streamDocumentTypes,
  tolerant,
  type Json,
  type ReadContext,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import {
  assertDeclared,
  carryOut,
  declaredStream,
  documentType,
  isOn,
  refuse,
  streamFindings,
  streamsInput,
  withNextButton,
} from './stream-options.js';

const written = declaredStream.extend({ documentType: documentType('vc') });
const options = z.object({ topicIds: tolerant.listOf(written), ...withNextButton });
type Options = z.infer<typeof options>;
type Context = RunContext<Options, typeof RELEASE>;

const change = z.object({ globalTopicId: z.string().trim().max(100), active: isOn, documentType: documentType('vc') });
type Choice = z.infer<typeof change>;

const memory = z.object({
  /** What the user chose, of the streams that the policy declares. */
  choices: z.array(change),
  /** Data held until the user continues, if any. */
  waiting: z.array(z.json()).max(1),
});
type Memory = z.infer<typeof memory>;

export const globalEventsWriterBlock = defineBlock({
  type: 'globalEventsWriterBlock',
  title: 'Writer of global events',
  description: 'Announces published documents on streams, which other policies of the owner and shared peers can read.',
  kind: 'interface',
  children: 'none',
  passesOn: true,
  outputs: [RELEASE],
  options,
  input: streamsInput(change),
  check: (node, { topicIds }) => streamFindings(node, 'topicIds', topicIds),
  async read(ctx) {
    const { topicIds, showNextButton } = ctx.options;
    return {
      ...heading(ctx),
      config: { topicIds: topicIds.map((stream) => ({ ...stream })), showNextButton },
      streams: (await streamsOf(ctx)).map((stream) => ({ ...stream })),
      defaultTopicIds: topicIds.map(({ topicId }) => topicId),
      showNextButton,
      documentTypeOptions: streamDocumentTypes.map((type) => ({ label: type, value: type })),
      waiting: (await remembered(ctx)).waiting.length > 0,
      userId: ctx.user.did,
      userDid: ctx.user.did,
    };
  },
  receive: (ctx, input) => carryOut(ctx, input, { choose: (changes) => choose(ctx, changes), next: () => next(ctx) }),
  on: {
    async RunEvent(ctx, { data }) {
      await announce(ctx, data);
      const { showNextButton } = ctx.options;
      if (!showNextButton || !ctx.block.defaultActive) {
        passOn(ctx, data);
        return;
      }
      await ctx.state.set({ ...(await remembered(ctx)), waiting: [data] });
      ctx.emit(REFRESH, data);
    },
  },
});

async function choose(ctx: Context, choices: readonly Choice[]): Promise<void> {
  for (const { globalTopicId } of choices) assertDeclared(ctx, ctx.options.topicIds, globalTopicId);
  const before = await remembered(ctx);
  const others = before.choices.filter((old) => !choices.some((each) => each.globalTopicId === old.globalTopicId));
  await ctx.state.set({ ...before, choices: [...others, ...choices] });
}

async function next(ctx: Context): Promise<void> {
  const { waiting: pending, choices } = await remembered(ctx);
  const [data] = pending;
  if (data === undefined) return refuse(ctx, 'nothing waits to go on');
  await ctx.state.set({ choices, waiting: [] });
  passOn(ctx, data);
}

/** Unpublished documents are not announced, since readers could not verify them. */
async function announce(ctx: Context, data: Json): Promise<void> {
  const documents = documentsIn(data).filter(({ messageId, hash }) => (messageId ?? '') !== '' && (hash ?? '') !== '');
  const active = (await streamsOf(ctx)).filter((stream) => stream.active);
  for (const document of documents) {
    await ctx.budget.giveWay();
    for (const { globalTopicId: stream, documentType: type } of active) {
      const tooLargeFor = await ctx.streams.announce({ stream, documentType: type, document });
      if (tooLargeFor.length === 0) continue;
      const facts = { stream, messageId: document.messageId ?? null, peers: [...tooLargeFor] };
      ctx.warn('A document is too large for a message to other instances, and was announced here only.', facts);
    }
  }
}

/** The declared streams as this user has set them. */
async function streamsOf(ctx: ReadContext<Options>): Promise<Choice[]> {
  const { choices } = await remembered(ctx);
  return ctx.options.topicIds.map(({ topicId: globalTopicId, active, documentType: type }) => {
    const chosen = choices.find((choice) => choice.globalTopicId === globalTopicId);
    return chosen ?? { globalTopicId, active, documentType: type };
  });
}

const remembered = async ({ state }: Pick<ReadContext, 'state'>): Promise<Memory> =>
  (await state.get(memory)) ?? { choices: [], waiting: [] };
