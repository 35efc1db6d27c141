/** Modules and tools: blocks that policies share, as the reference keeps, lists and files them. */
import {
  packArchive,
  unpackArchive,
  type Caller,
  type Clock,
  type Ids,
  type JsonObject,
  type PolicyEngine,
} from '@blockwork/core';
import { isoNow } from '@blockwork/core/adapter';
import { isObject } from '@blockwork/core/records';
import { createHash } from 'node:crypto';
import { parse } from 'secure-json-parse';
import { z } from 'zod';
import { SandboxError } from '../errors.js';
import { newEntityId, newId } from '../memory/new-id.js';
import type { OwnedBook } from '../memory/owned-book.js';
import type { Part } from '../memory/things.js';
import { jsonObject } from '../requests/json-members.js';
import { verdictOf, type Verdict } from './validation.js';

export type PartKind = 'module' | 'tool';

export const writtenPart = z.looseObject({
  name: z.string().max(500).default(''),
  description: z.string().max(10_000).nullish(),
  menu: z.string().max(100).default('show'),
  config: jsonObject,
});
export type WrittenPart = z.infer<typeof writtenPart>;

export interface PartDeps {
  readonly engine: PolicyEngine;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Throws `FILE_REFUSED` unless the root block is of the kind. */
export function newPart(deps: PartDeps, kind: PartKind, { did }: Caller, given: WrittenPart): Part {
  assertKind(kind, given.config);
  const now = isoNow(deps.clock);
  return {
    ...{ id: newId(deps.ids), uuid: deps.ids.uuid(), owner: did, name: given.name },
    ...{
      description: given.description ?? '',
      menu: given.menu,
      status: 'DRAFT',
      topicId: '',
      messageId: '',
      hash: '',
    },
    ...{ config: { ...completed, ...given.config }, tags: [], createDate: now, updateDate: now },
  };
}

/** What the editor of the reference reads of every root block. */
const completed: JsonObject = {
  ...{ permissions: [], children: [], events: [], artifacts: [], variables: [] },
  ...{ inputEvents: [], outputEvents: [], innerEvents: [] },
};

export function assertKind(kind: PartKind, { blockType }: JsonObject): void {
  if (blockType !== kind) throw new SandboxError('FILE_REFUSED', { reason: `its root block is no ${kind}` });
}

export const partRow = (kind: PartKind, { tags: _tags, ...part }: Part): Record<string, unknown> => ({
  ...part,
  _id: part.id,
  // A file of the database in the reference, which is another one after each change.
  configFileId: createHash('sha256')
    .update(JSON.stringify([part.config, part.updateDate]))
    .digest('hex')
    .slice(0, 24),
  ...{ creator: part.owner, codeVersion: '1.0.0', type: 'CUSTOM' },
  ...(kind === 'tool' && { version: '', tools: [] }),
});

/** Lists are without blocks. */
export function listedPart(kind: PartKind, part: Part): object {
  const { config: _config, ...row } = partRow(kind, part);
  return row;
}

/** What the author of a policy that holds nothing else would be told. */
export async function partVerdict({ engine, ids }: PartDeps, caller: Caller, config: JsonObject): Promise<Verdict> {
  const written = new Map<string, string>();
  // A tool is checked by its blocks, not by the message that it is published under.
  const part = { ...withIds(config, ids, written), blockType: 'module', permissions: ['ANY_ROLE'] };
  const page = { blockType: 'interfaceContainerBlock', tag: 'page of the part', permissions: ['ANY_ROLE'] };
  const findings = await engine.editing.checkDefinition(caller, {
    name: 'Part',
    config: { ...page, children: [part] },
  });
  return verdictOf(
    config,
    findings.map((finding) => ({ ...finding, block: written.get(finding.block ?? '') ?? '' })),
  );
}

/** With ids that policies can have, under which `written` has the own ones. The levels of `config` are bounded. */
function withIds(config: Readonly<Record<string, unknown>>, ids: Ids, written: Map<string, string>): object {
  const id = ids.uuid();
  const { id: own, children } = config;
  if (typeof own === 'string' || typeof own === 'number') written.set(id, String(own));
  if (!Array.isArray(children)) return { ...config, id };
  return {
    ...config,
    id,
    children: children.map((child: unknown) => (isObject(child) ? withIds(child, ids, written) : child)),
  };
}

/** Rejects with `ALREADY_PUBLISHED`. A part with errors stays a draft. */
export async function publishPart(
  deps: PartDeps,
  kind: PartKind,
  caller: Caller,
  part: Part,
  book: OwnedBook<Part>,
): Promise<{ part: Part; verdict: Verdict }> {
  if (part.status === 'PUBLISHED') throw new SandboxError('ALREADY_PUBLISHED', { what: kind, name: part.name });
  const { engine, clock, ids } = deps;
  const verdict = await partVerdict(deps, caller, part.config);
  if (!verdict.isValid) return { part, verdict };
  const now = clock.now();
  // As a consensus time, of which the clock knows the milliseconds.
  const digits = ids.uuid().replaceAll(/\D/g, '').padEnd(6, '0').slice(0, 6);
  const messageId = `${String(Math.floor(now / 1000))}.${String(now % 1000).padStart(3, '0')}${digits}`;
  const hash = createHash('sha256').update(JSON.stringify(part.config)).digest('hex');
  const published: Part = {
    ...part,
    ...{ status: 'PUBLISHED', messageId, hash, topicId: newEntityId(ids), updateDate: isoNow(clock) },
  };
  // From now on policies of the registry can name it.
  if (kind === 'tool') await engine.tools.import(caller, fileOf(kind, published), { messageId, hash });
  return { part: await book.put(published), verdict };
}

/** A `.module` or `.tool` file. */
export function fileOf(kind: PartKind, { name, description, owner, config }: Part): Uint8Array {
  const content = { name, description, creator: owner, owner, codeVersion: '1.0.0', type: 'CUSTOM', config };
  return packArchive(new Map([[`${kind}.json`, Buffer.from(JSON.stringify(content))]]));
}

/** Throws `FILE_REFUSED`, `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`. */
export function partIn(kind: PartKind, file: Uint8Array): WrittenPart {
  const content = unpackArchive(file).get(`${kind}.json`);
  if (content === undefined) throw new SandboxError('FILE_REFUSED', { reason: `it holds no ${kind}.json` });
  const { data } = writtenPart.safeParse(objectIn(`${kind}.json`, content));
  if (data === undefined) throw new SandboxError('FILE_REFUSED', { reason: `${kind}.json is no ${kind}` });
  assertKind(kind, data.config);
  return data;
}

function objectIn(name: string, content: Uint8Array): object {
  try {
    const value: unknown = parse(Buffer.from(content).toString('utf8'), {
      ...{ protoAction: 'error', constructorAction: 'error' },
    });
    if (isObject(value)) return value;
  } catch {
    throw new SandboxError('FILE_REFUSED', { reason: `${name} is no JSON` });
  }
  throw new SandboxError('FILE_REFUSED', { reason: `${name} holds no object` });
}
