/** The routes that modules and tools have in common, under their names. */
import type { Caller } from '@blockwork/core';
import { isoNow } from '@blockwork/core/adapter';
import { z } from 'zod';
import { SandboxError } from '../../errors.js';
import type { OwnedBook } from '../../memory/owned-book.js';
import type { Part } from '../../memory/things.js';
import {
  assertKind,
  fileOf,
  listedPart,
  newPart,
  partIn,
  partRow,
  partVerdict,
  publishPart,
  writtenPart,
  type PartKind,
  type WrittenPart,
} from '../../policies/parts.js';
import {
  checked,
  created,
  download,
  ok,
  page,
  ZIP,
  type SandboxCall,
  type SandboxRoute,
} from '../../requests/endpoint.js';
import { registryOf } from '../../requests/registry.js';
import type { RouteDeps } from '../route-deps.js';

const announced = z.looseObject({ messageId: z.string().min(1).max(64) });

export interface PartRooms {
  readonly deps: RouteDeps;
  readonly kind: PartKind;
  readonly book: OwnedBook<Part>;
  /** Of modules their uuid, of tools their id. */
  readonly parameter: 'uuid' | 'id';
}

export function partRoutes(rooms: PartRooms): SandboxRoute[] {
  const { deps, kind, book, parameter } = rooms;
  const path = `/${kind}s`;
  const one = `${path}/{${parameter}}`;
  return [
    { method: 'POST', path, body: 'policy', handle: async (call) => created(await create(rooms, call)) },
    {
      method: 'GET',
      path,
      handle: async (call) => {
        const own = book.of((await registryOf(call)).did).reverse();
        return page(
          own.map((part) => listedPart(kind, part)),
          call.query,
        );
      },
    },
    {
      method: 'GET',
      path: kind === 'module' ? `${path}/menu` : `${path}/menu/all`,
      // Those that policies can use.
      handle: async (call) => {
        const own = book.of((await registryOf(call)).did);
        const shown = own.filter(
          ({ status, menu }) => menu === 'show' && (kind === 'module' || status === 'PUBLISHED'),
        );
        return ok(shown.reverse().map((part) => partRow(kind, part)));
      },
    },
    { method: 'GET', path: one, handle: async (call) => ok(partRow(kind, await ownPart(rooms, call))) },
    { method: 'PUT', path: one, body: 'policy', handle: async (call) => created(await change(rooms, call)) },
    {
      method: 'DELETE',
      path: one,
      handle: async (call) => {
        const part = await ownPart(rooms, call);
        assertDraft(kind, part);
        return ok(await book.delete(part.id));
      },
    },
    {
      method: 'PUT',
      path: `${one}/publish`,
      body: 'data',
      handle: async (call) => ok(await published(rooms, call)),
    },
    {
      method: 'POST',
      path: `${path}/validate`,
      body: 'policy',
      handle: async (call) => {
        const { config } = checked(call.body, writtenPart);
        assertKind(kind, config);
        return ok({ results: await partVerdict(deps, await registryOf(call), config), [kind]: call.body });
      },
    },
    {
      method: 'GET',
      path: `${one}/export/file`,
      handle: async (call) => {
        const part = await ownPart(rooms, call);
        return download(`${part.name}.${kind}`, ZIP, fileOf(kind, part));
      },
    },
    {
      method: 'GET',
      path: `${one}/export/message`,
      handle: async (call) => {
        const { id, uuid, name, description, messageId, owner } = await ownPart(rooms, call);
        return ok({ id, uuid, name, description, messageId, owner });
      },
    },
    ...importRoutes(rooms, path),
  ];
}

function importRoutes(rooms: PartRooms, path: string): SandboxRoute[] {
  const { kind } = rooms;
  const preview = async (call: SandboxCall, source: Source): Promise<object> => {
    const given = source(rooms, call, await registryOf(call));
    const row = partRow(kind, newPart(rooms.deps, kind, await registryOf(call), given));
    return { [kind]: row, schemas: [], tags: [], tools: [] };
  };
  const post = (route: string, body: 'file' | 'data', handle: SandboxRoute['handle']): SandboxRoute => ({
    ...{ method: 'POST', path: `${path}/import/${route}`, body, handle },
  });
  return [
    post('file', 'file', async (call) => created(await imported(rooms, call, fromFile))),
    post('message', 'data', async (call) => created(await imported(rooms, call, fromMessage))),
    post('file/preview', 'file', async (call) => ok(await preview(call, fromFile))),
    post('message/preview', 'data', async (call) => ok(await preview(call, fromMessage))),
  ];
}

type Source = (rooms: PartRooms, call: SandboxCall, caller: Caller) => WrittenPart;

export const fromFile: Source = ({ kind }, { body }) => partIn(kind, body as Uint8Array);

/** What was published here, or is configured under the message. */
export const fromMessage: Source = ({ kind, book, deps }, { body }) => {
  const { messageId } = checked(body, announced);
  const part = book.all().find((each) => each.messageId === messageId && each.status === 'PUBLISHED');
  if (part !== undefined) return part;
  const file = deps.messages.get(messageId);
  if (file === undefined) throw new SandboxError('MESSAGE_UNKNOWN', { messageId });
  return partIn(kind, file);
};

/** A draft, as in the reference. */
export async function imported(rooms: PartRooms, call: SandboxCall, source: Source): Promise<object> {
  const { deps, kind, book } = rooms;
  const caller = await registryOf(call);
  return partRow(kind, await book.put(newPart(deps, kind, caller, source(rooms, call, caller))));
}

export async function create({ deps, kind, book }: PartRooms, call: SandboxCall): Promise<object> {
  const caller = await registryOf(call);
  return partRow(kind, await book.put(newPart(deps, kind, caller, checked(call.body, writtenPart))));
}

async function change(rooms: PartRooms, call: SandboxCall): Promise<object> {
  const { deps, kind, book } = rooms;
  const before = await ownPart(rooms, call);
  assertDraft(kind, before);
  const { name, description, menu, config } = checked(call.body, writtenPart);
  assertKind(kind, config);
  const facts = { name, description: description ?? '', menu, config, updateDate: isoNow(deps.clock) };
  return partRow(kind, await book.put({ ...before, ...facts }));
}

export async function published(rooms: PartRooms, call: SandboxCall): Promise<object> {
  const { deps, kind, book } = rooms;
  const before = await ownPart(rooms, call);
  const { part, verdict } = await publishPart(deps, kind, await registryOf(call), before, book);
  return { [kind]: partRow(kind, part), [`${kind}Id`]: part.id, isValid: verdict.isValid, errors: verdict };
}

/** Throws `THING_UNKNOWN`, also for another registry's. */
async function ownPart({ kind, book, parameter }: PartRooms, call: SandboxCall): Promise<Part> {
  const { did } = await registryOf(call);
  const wanted = call.params[parameter] ?? '';
  const part = book.of(did).find((each) => each[parameter] === wanted);
  if (part === undefined) throw new SandboxError('THING_UNKNOWN', { what: kind, id: wanted });
  return part;
}

function assertDraft(kind: PartKind, { status, name }: Part): void {
  if (status === 'PUBLISHED') throw new SandboxError('ALREADY_PUBLISHED', { what: kind, name });
}
