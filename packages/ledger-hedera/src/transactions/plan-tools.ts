/** A tool on the ledger: its topic, its schemas there, and last the message by which policies name it. */
import type { LedgerEffect } from '@blockwork/core';
import type { PublishedTool, SchemaOfTool } from '@blockwork/core/adapter';
import { textAt } from '../forms/message-form.js';
import { schemaText, toolCreationText, toolPublicationText } from '../forms/policy-form.js';
import { INSTANCE_PARTITION } from './partition.js';
import { nextOfLinks } from './plan-links.js';
import { bare, inOnePiece, type EffectFacts, type PlanDeps, type Planned } from './planned.js';
import type { Mapping, TransactionRow } from './row.js';
import { SCHEMA_MEMO, storedSchema } from './schema-files.js';

/** Under which the ledger's id of its message is kept: whoever imports a tool chooses its hash, but not its bytes. */
export const toolName = ({ hash, digest }: PublishedTool): string => `${digest}/${hash}`;

/** Of the effect with which a tool is published. */
export const toolEffectId = (name: string): string => `tool/${name}`;

/** What is to be carried out, once in an instance for each tool, before the policy that uses it is published. */
export function toolPublicationOf(tool: PublishedTool, owner: string, at: string): LedgerEffect {
  const topicId = toolName(tool);
  return {
    id: toolEffectId(topicId),
    policyId: INSTANCE_PARTITION,
    at,
    type: 'create-topic',
    topicId,
    body: { owner },
  };
}

/** `parentOf`: the topic in which it is announced, asked for once. */
export async function nextOfTool(
  { effect, done }: EffectFacts,
  tool: PublishedTool,
  deps: PlanDeps,
  parentOf: (owner: string) => Promise<string | null>,
): Promise<Planned | undefined> {
  const { id, body } = effect;
  const owner = textAt(body, 'owner');
  const [created, announced] = done;
  if (created === undefined) return bare({ type: 'create-topic', memo: '' });
  const topic = created.outcome?.entity ?? '';
  const facts = { owner, topicId: topic, tool };
  const parent = announced === undefined ? await parentOf(owner) : parentIn(announced, topic);
  if (parent !== null && announced === undefined)
    return inOnePiece(parent, toolCreationText({ ...facts, seed: `${id}/creation` }), '');
  const before = parent === null ? 1 : 2;
  const { name, description } = tool;
  const rationale = parent === null ? null : (announced?.consensusAt ?? null);
  const link = { effectId: id, name, description, owner, messageType: 'TOOL_TOPIC', rationale };
  const next = nextOfLinks(link, { topic, parent, sent: done.length - before });
  if (next !== undefined) return next;
  const sent = done.slice(before + (parent === null ? 1 : 2));
  const schema = tool.schemas[sent.length];
  if (schema !== undefined) return schemaMessage(schema, { id, owner, topic, sent }, deps);
  if (sent.length > tool.schemas.length) return undefined;
  const cid = await deps.storeFile(await tool.file());
  if (cid === null) throw noFiles(id);
  return inOnePiece(topic, toolPublicationText({ ...facts, seed: id }, cid), '');
}

/** The id of its message is known from the last transaction on. */
export function toolMappings(
  { effect, done }: EffectFacts,
  tool: PublishedTool,
  row: TransactionRow,
  at: string,
): Mapping[] {
  const [created, announced] = done;
  const parent = announced === undefined ? null : parentIn(announced, created?.outcome?.entity ?? '');
  const before = parent === null ? 2 : 4;
  const isLast = row.operation.type === 'submit-message' && done.length === before + tool.schemas.length;
  return isLast ? [{ of: 'tool', local: effect.topicId ?? '', ledger: at }] : [];
}

async function schemaMessage(
  { about, uses, ...schema }: SchemaOfTool,
  { id, owner, topic, sent }: { id: string; owner: string; topic: string; sent: readonly TransactionRow[] },
  deps: PlanDeps,
): Promise<Planned> {
  const files = await storedSchema(schema, deps);
  if (files === undefined) throw noFiles(id);
  const relationships = uses.flatMap((place) => sent[place]?.consensusAt ?? []);
  const seed = `${id}/schema/${String(sent.length)}`;
  return inOnePiece(topic, schemaText(about, { seed, owner, relationships, ...files }), SCHEMA_MEMO);
}

/** As it was when the effect was begun. */
const parentIn = ({ operation }: TransactionRow, topic: string): string | null =>
  operation.type === 'submit-message' && operation.topic !== topic ? operation.topic : null;

const noFiles = (id: string): Error => new Error(`The effect "${id}" needs a place for files.`);
