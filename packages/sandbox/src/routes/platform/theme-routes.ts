/** Themes: the colours of blocks in the editor of the reference. */
import { packArchive, unpackArchive } from '@blockwork/core';
import { isoNow } from '@blockwork/core/adapter';
import { parse } from 'secure-json-parse';
import { z } from 'zod';
import { SandboxError } from '../../errors.js';
import { newId } from '../../memory/new-id.js';
import type { Theme } from '../../memory/things.js';
import { checked, created, download, ok, ZIP, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { json, jsonObject } from '../../requests/json-members.js';
import { callerOf } from '../../requests/person.js';
import type { RouteDeps } from '../route-deps.js';

const written = z.looseObject({
  name: z.string().max(500).default(''),
  description: z.string().max(10_000).nullish(),
  rules: z.array(json).max(1_000).default([]),
  syntaxGroups: jsonObject.nullish(),
});

export function themeRoutes(deps: RouteDeps): SandboxRoute[] {
  const { themes } = deps.books;
  return [
    {
      method: 'GET',
      path: '/themes',
      handle: async ({ person }) => {
        const { caller } = await person();
        return ok(caller === null ? [] : themes.of(caller.did).map(row));
      },
    },
    {
      method: 'POST',
      path: '/themes',
      body: 'data',
      handle: async (call) => created(await add(deps, call, call.body)),
    },
    {
      method: 'PUT',
      path: '/themes/{themeId}',
      body: 'data',
      handle: async (call) => {
        const facts = { ...factsOf(checked(call.body, written)), updateDate: isoNow(deps.clock) };
        return ok(row(await themes.put({ ...(await own(deps, call)), ...facts })));
      },
    },
    {
      method: 'DELETE',
      path: '/themes/{themeId}',
      handle: async (call) => ok(await themes.delete((await own(deps, call)).id)),
    },
    {
      method: 'POST',
      path: '/themes/import/file',
      body: 'file',
      handle: async (call) => created(await add(deps, call, themeIn(call.body as Uint8Array))),
    },
    {
      method: 'GET',
      path: '/themes/{themeId}/export/file',
      handle: async (call) => {
        const { name, description, rules, syntaxGroups, uuid } = await own(deps, call);
        const content = JSON.stringify({ uuid, name, description, rules, syntaxGroups });
        return download(`${name}.theme`, ZIP, packArchive(new Map([['theme.json', Buffer.from(content)]])));
      },
    },
  ];
}

const row = (theme: Theme): object => ({ ...theme, _id: theme.id });

const factsOf = ({ name, description, rules, syntaxGroups }: z.infer<typeof written>) => ({
  ...{ name, description: description ?? '', rules, syntaxGroups: syntaxGroups ?? {} },
});

async function add({ books, ids, clock }: RouteDeps, { person }: SandboxCall, body: unknown): Promise<object> {
  const { did: owner } = callerOf(await person());
  const now = isoNow(clock);
  const identity = { id: newId(ids), uuid: ids.uuid(), owner, isDefault: false, createDate: now, updateDate: now };
  return row(await books.themes.put({ ...identity, ...factsOf(checked(body, written)) }));
}

/** Throws `THING_UNKNOWN`, also for another user's. */
async function own({ books }: RouteDeps, { params, person }: SandboxCall): Promise<Theme> {
  const { themeId: id = '' } = params;
  const theme = books.themes.ofOwner(id, callerOf(await person()).did);
  if (theme === undefined) throw new SandboxError('THING_UNKNOWN', { what: 'theme', id });
  return theme;
}

/** Throws `FILE_REFUSED`, `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`. */
function themeIn(file: Uint8Array): unknown {
  const content = unpackArchive(file).get('theme.json');
  if (content === undefined) throw new SandboxError('FILE_REFUSED', { reason: 'it holds no theme.json' });
  try {
    return parse(Buffer.from(content).toString('utf8'), { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw new SandboxError('FILE_REFUSED', { reason: 'theme.json is no JSON' });
  }
}
