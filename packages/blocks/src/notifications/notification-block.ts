/** `notificationBlock`: notifies users of the policy and passes its data on. */
import {
  defineBlock,
  documentsIn,
  finding,
  notificationTypes,
  RELEASE,
  RUN,
  tolerant,
  type Json,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { signerOf } from '../common/document-kind.js';

const { flag, text } = tolerant;

const audiences = ['ALL', 'CURRENT', 'OWNER', 'DOCUMENT_OWNER', 'DOCUMENT_ISSUER', 'GROUP_OWNER', 'ROLE'] as const;
type Audience = (typeof audiences)[number];

const options = z.object({
  title: text,
  message: text,
  type: text.transform((type) => type || 'INFO').pipe(z.enum(notificationTypes)),
  /** Opening the notification opens the policy. */
  link: flag,
  user: text.transform((user) => user || 'CURRENT').pipe(z.enum(audiences)),
  /** The role to notify, for `ROLE`. */
  role: text,
  /** Limit recipients to members of the user's group. */
  grouped: flag,
});
type Context = RunContext<z.infer<typeof options>, typeof RELEASE>;

export const notificationBlock = defineBlock({
  type: 'notificationBlock',
  title: 'Notification',
  description: 'Sends a notification to users of the policy.',
  kind: 'server',
  passesOn: true,
  children: 'none',
  outputs: [RELEASE],
  inputs: ['TimerEvent'],
  options,
  references: ({ user, role }) => (user === 'ROLE' ? [{ to: 'role', name: role, path: '/role' }] : []),
  check: (node, { title, message, user, role }) => [
    ...(title === '' ? [finding(node, { path: '/title', message: `"${node.tag}" has no title.` })] : []),
    ...(message === ''
      ? [finding(node, { path: '/message', message: `"${node.tag}" has no message. Write one.` })]
      : []),
    ...(user === 'ROLE' && role === ''
      ? [finding(node, { path: '/role', message: `"${node.tag}" notifies a role, but does not say which.` })]
      : []),
  ],
  on: {
    RunEvent: (ctx, { data }) => notify(ctx, data),
    TimerEvent: (ctx, { data }) => notify(ctx, data),
  },
});

async function notify(ctx: Context, data: Json): Promise<void> {
  const { title, message, type, link, user } = ctx.options;
  const recipients = await recipientsOf[user](ctx, data);
  await ctx.notifications.send(recipients, { title, message, type, opensPolicy: link });
  ctx.emit(RUN, data);
  ctx.emit(RELEASE);
}

type Recipients = (ctx: Context, data: Json) => readonly string[] | Promise<readonly string[]>;

const recipientsOf: Readonly<Record<Audience, Recipients>> = {
  ALL: async (ctx) => [...(await ctx.memberships.all()).map(({ did }) => did), ctx.user.did],
  CURRENT: ({ user }) => [user.did],
  OWNER: ({ policy }) => [policy.owner],
  DOCUMENT_OWNER: (_, data) =>
    documentsIn(data)
      .slice(0, 1)
      .map(({ owner }) => owner),
  DOCUMENT_ISSUER: (_, data) =>
    documentsIn(data)
      .slice(0, 1)
      .flatMap(({ document }) => signerOf(document) ?? []),
  GROUP_OWNER: async (ctx) => (await ctx.memberships.mine()).map(({ owner }) => owner),
  async ROLE(ctx) {
    const { role, grouped } = ctx.options;
    const { group } = ctx.user;
    const members = grouped
      ? group === null
        ? []
        : await ctx.memberships.inGroup(group)
      : await ctx.memberships.all();
    return members.filter((member) => member.role === role).map(({ did }) => did);
  },
};
