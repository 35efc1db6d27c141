/** A policy whose blocks are open to different roles, and subscribers to what moves in it. */
import { createEngine, type Caller, type EngineOptions, type PolicyEngine, type PolicyEvent } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { z } from 'zod';
import { written } from './policy-fixtures.js';

export const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
export const alice: Caller = { did: 'did:example:alice', role: 'USER' };
export const bob: Caller = { did: 'did:example:bob', role: 'USER' };

/** Counts what it takes, or keeps it as a document where it is told to. */
const noteBlock = defineBlock({
  type: 'noteBlock',
  title: 'Note',
  description: '',
  kind: 'interface',
  input: z.object({ keep: z.boolean().default(false) }),
  async receive(ctx, { keep }) {
    if (keep) await ctx.documents.add({ owner: ctx.user.did, document: { credentialSubject: [{ id: 'x' }] } });
    else await ctx.state.set(((await ctx.state.get(z.number())) ?? 0) + 1);
  },
});

const grid = (tag: string, role: string): unknown =>
  written(
    'interfaceDocumentsSourceBlock',
    tag,
    { permissions: [role], uiMetaData: { fields: [] } },
    written('documentsSourceAddon', `${tag}_source`, { permissions: [role], dataType: 'vc-documents', filters: [] }),
  );

const policy = (name: string): object => ({
  name,
  policyRoles: ['A', 'B'],
  config: written(
    'interfaceContainerBlock',
    'root',
    {},
    written('policyRolesBlock', 'choose_role', { permissions: ['NO_ROLE'], roles: ['A', 'B'] }),
    written('noteBlock', 'for_all'),
    written('noteBlock', 'for_a', { permissions: ['A'] }),
    written('noteBlock', 'for_b', { permissions: ['B'] }),
    written('interfaceContainerBlock', 'b_page', { permissions: ['B'] }, written('noteBlock', 'within_b')),
    grid('grid_a', 'A'),
    grid('grid_b', 'B'),
  ),
});

export interface EventWorld {
  readonly engine: PolicyEngine;
  readonly policyId: string;
  readonly send: (tag: string, keep?: boolean, caller?: Caller) => Promise<unknown>;
  readonly addPolicy: (name: string) => Promise<string>;
}

/** Alice has the role A, Bob the role B. */
export async function eventWorld(options: EngineOptions = {}): Promise<EventWorld> {
  const engine = createEngine({ blocks: [noteBlock], ...options });
  const addPolicy = async (name: string): Promise<string> => (await engine.importPolicy(owner, policy(name))).policy.id;
  const policyId = await addPolicy('Notes');
  await engine.sendToBlock(alice, policyId, { tag: 'choose_role' }, { role: 'A' });
  await engine.sendToBlock(bob, policyId, { tag: 'choose_role' }, { role: 'B' });
  const senders: Readonly<Record<string, Caller>> = { for_a: alice, for_b: bob, within_b: bob };
  return {
    engine,
    policyId,
    addPolicy,
    send: (tag, keep = false, caller = senders[tag] ?? alice) =>
      engine.sendToBlock(caller, policyId, { tag }, { keep }),
  };
}

/** Another node over the same store. */
export const eventNode = (options: EngineOptions): PolicyEngine => createEngine({ blocks: [noteBlock], ...options });

/** Takes so many events, after `open`, and ends the subscription. */
export async function take(events: AsyncGenerator<PolicyEvent, void>, count: number): Promise<PolicyEvent[]> {
  const firstEvents: PolicyEvent[] = [];
  for await (const event of events) {
    if (event.type !== 'open') firstEvents.push(event);
    if (firstEvents.length === count) break;
  }
  return firstEvents;
}

/** Subscribes; resolves when the subscription has begun. */
export async function begun(
  events: AsyncGenerator<PolicyEvent, void>,
): Promise<{ readonly open: PolicyEvent; readonly events: AsyncGenerator<PolicyEvent, void> }> {
  const { value } = await events.next();
  if (value === undefined) throw new Error('The subscription ended at once.');
  return { open: value, events };
}
