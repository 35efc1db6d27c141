/** A policy whose blocks are open to different roles: everybody hears of something else that moves in it. */
import { createEngine, type Caller, type EngineLimits, type PolicyEngine } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { block } from '@blockwork/testing';
import { z } from 'zod';
import { owner } from './world.js';

const person = (name: string): Caller => ({ did: `did:example:${name}`, role: 'USER' });
const [alice, bob, carol, dave] = [person('alice'), person('bob'), person('carol'), person('dave')];

/** Counts what it takes. */
const noteBlock = defineBlock({
  type: 'noteBlock',
  title: 'Note',
  description: '',
  kind: 'interface',
  input: z.object({}),
  async receive(ctx) {
    await ctx.state.set(((await ctx.state.get(z.number())) ?? 0) + 1);
  },
});

const notes = (name: string): object => ({
  name,
  policyRoles: ['A', 'B'],
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('policyRolesBlock', 'choose_role', { permissions: ['NO_ROLE'], roles: ['A', 'B'] }),
      block('noteBlock', 'for_all'),
      block('noteBlock', 'for_a', { permissions: ['A'] }),
      block('noteBlock', 'for_b', { permissions: ['B'] }),
      block('interfaceContainerBlock', 'b_page', { permissions: ['B'], children: [block('noteBlock', 'within_b')] }),
    ],
  }),
});

/** The blocks that notes are sent to. */
export const noteTags = ['for_all', 'for_a', 'for_b', 'within_b'];

/** Who hears of which of them: Alice has the role A, Bob the role B, and Carol none. */
export const listeners: readonly { readonly caller: Caller; readonly sees: (tag: string) => boolean }[] = [
  { caller: owner, sees: () => true },
  { caller: alice, sees: (tag) => tag === 'for_all' || tag === 'for_a' },
  { caller: bob, sees: (tag) => tag !== 'for_a' },
  { caller: carol, sees: (tag) => tag === 'for_all' },
];

export interface NotesWorld {
  readonly engine: PolicyEngine;
  readonly policyId: string;
  /** Another policy, in which of the listeners only the owner hears of anything. */
  readonly closedId: string;
  /** One unit of work in the policy, by somebody who may. */
  readonly send: (tag: string) => Promise<unknown>;
  /** The same in the other policy. */
  readonly sendThere: () => Promise<unknown>;
}

export async function notesWorld(limits: Partial<EngineLimits>): Promise<NotesWorld> {
  const engine = createEngine({ blocks: [noteBlock], limits, drafts: 'shared' });
  const add = async (name: string): Promise<string> => (await engine.importPolicy(owner, notes(name))).policy.id;
  const [policyId, closedId] = [await add('Notes'), await add('Closed')];
  await engine.sendToBlock(alice, policyId, { tag: 'choose_role' }, { role: 'A' });
  await engine.sendToBlock(bob, policyId, { tag: 'choose_role' }, { role: 'B' });
  await engine.sendToBlock(dave, closedId, { tag: 'choose_role' }, { role: 'A' });
  const sender = (tag: string): Caller => (tag === 'for_b' || tag === 'within_b' ? bob : alice);
  return {
    engine,
    policyId,
    closedId,
    send: (tag) => engine.sendToBlock(sender(tag), policyId, { tag }, {}),
    sendThere: () => engine.sendToBlock(dave, closedId, { tag: 'for_a' }, {}),
  };
}
