/** A policy that instances host in tests of requests: a box that counts votes, and one that takes note of answers. */
import type { Caller } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { block } from '@blockwork/testing';
import { z } from 'zod';

/** Every vote that it takes becomes a document; `bad` ones it refuses. */
export const ballot = defineBlock({
  type: 'ballot',
  title: 'Ballot',
  description: '',
  kind: 'interface',
  input: z.object({ vote: z.string() }),
  async receive(ctx, { vote }) {
    await ctx.documents.add({ owner: ctx.user.did, type: 'vote', document: { vote } });
    if (vote.endsWith('bad')) ctx.fail('INPUT_INVALID', { facts: { reason: 'This vote is bad.' } });
    return { counted: vote };
  },
});

/** Goes on when an answer comes: each becomes a document; of some it makes an error. */
export const notebook = defineBlock({
  type: 'notebook',
  title: 'Notebook',
  description: '',
  kind: 'interface',
  input: z.looseObject({ messageId: z.string(), status: z.string() }),
  async receive(ctx, { messageId, status }) {
    await ctx.documents.add({ owner: ctx.user.did, type: 'answer', document: { messageId, status } });
  },
});

export const policyOf = (instance: string): { id: string; name: string; config: object } => ({
  id: `votes-${instance}`,
  name: `Votes of ${instance}`,
  config: block('interfaceContainerBlock', 'root', {
    children: [block('ballot', 'ballot'), block('notebook', 'notebook')],
  }),
});

export const ownerOf = (instance: string): Caller => ({ did: `did:${instance}:owner`, role: 'STANDARD_REGISTRY' });
export const userOf = (instance: string): Caller => ({ did: `did:${instance}:user`, role: 'USER' });

const record = {
  uuid: '33333333-3333-4333-8333-333333333333',
  name: 'Votes',
  description: '',
  topicDescription: '',
  policyTag: 'votes',
  status: 'PUBLISH' as const,
  creator: 'did:x',
  owner: 'did:x',
  topicId: '0.0.1',
  messageId: '1.1',
  codeVersion: '1.0.0',
  createDate: '2026-01-01T00:00:00.000Z',
  version: '1.0.0',
  policyRoles: [],
  categories: [],
  projectSchema: '44444444-4444-4444-8444-444444444444',
};

/** What a request for a signature says of its policy. */
export const recordOf = (instance: string): typeof record & { id: string } => ({
  ...record,
  id: policyOf(instance).id,
});
