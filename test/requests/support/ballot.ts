/** The policy that every instance of the simulation hosts: a box that counts votes, and one that takes note of answers. */
import type { Caller, Json } from '@blockwork/core';
import type { Block, RunContext } from '@blockwork/core/block';
import { block } from '@blockwork/testing';
import { z } from 'zod';

/** Every vote that it takes becomes a document; `bad` ones it refuses. */
export class Ballot implements Block<unknown, { vote: string }> {
  readonly about = { type: 'ballot', title: 'Ballot', description: '', kind: 'interface', children: 'none' } as const;
  readonly options = z.object({});
  readonly input = z.object({ vote: z.string() });

  async receive(ctx: RunContext, { vote }: { vote: string }): Promise<Json> {
    await ctx.documents.add({ owner: ctx.user.did, type: 'vote', document: { vote } });
    if (vote.endsWith('bad')) ctx.fail('INPUT_INVALID', { facts: { reason: 'This vote is bad.' } });
    return { counted: vote };
  }
}

const answer = z.looseObject({ messageId: z.string(), status: z.string() });

/** Goes on when an answer comes: each becomes a document; of some it makes an error. */
export class Notebook implements Block<unknown, z.infer<typeof answer>> {
  readonly about = {
    type: 'notebook',
    title: 'Notebook',
    description: '',
    kind: 'interface',
    children: 'none',
  } as const;
  readonly options = z.object({});
  readonly input = answer;

  async receive(ctx: RunContext, { messageId, status }: z.infer<typeof answer>): Promise<void> {
    await ctx.documents.add({ owner: ctx.user.did, type: 'answer', document: { messageId, status } });
  }
}

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
