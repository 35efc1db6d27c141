/** A world with a registry, a user of theirs, another registry and an auditor, each with a token. */
import type { RecentLog } from '@blockwork/core';
import type { SandboxOptions } from '@blockwork/sandbox';
import { expect } from 'vitest';
import type { Got, Sent } from './http.js';
import { openSandboxWorld, type SandboxWorld } from './world.js';

export type Who = 'registry' | 'ann' | 'other' | 'auditor';

export interface RegistryWorld extends SandboxWorld {
  /** As the registry, unless somebody else is named. */
  as(who: Who, method: string, path: string, sent?: Sent): Promise<Got>;
  call(method: string, path: string, json?: object): Promise<Got>;
  /** The result of the task that a `push` route answers with. */
  result(pushed: Promise<Got>): Promise<unknown>;
  /** Its error. */
  failure(pushed: Promise<Got>): Promise<unknown>;
  /** What the registry downloads. */
  download(path: string, method?: string): Promise<Uint8Array>;
}

const account = (username: string, role: 'USER' | 'STANDARD_REGISTRY', more: object = {}) => ({
  ...{ username, password: 'x', role, did: `did:example:${username}`, ...more },
});

export async function openRegistryWorld(
  options: Partial<SandboxOptions> = {},
  log?: RecentLog,
): Promise<RegistryWorld> {
  const accounts = {
    accounts: [
      account('registry', 'STANDARD_REGISTRY'),
      account('ann', 'USER', { parent: 'did:example:registry', hederaAccountId: '0.0.7' }),
      account('other', 'STANDARD_REGISTRY'),
      { username: 'auditor', password: 'x', role: 'AUDITOR' as const },
    ],
  };
  const world = await openSandboxWorld({ ...accounts, ...options }, undefined, undefined, log);
  const tokens = new Map<Who, string>();
  for (const username of ['registry', 'ann', 'other', 'auditor'] as const) {
    const { body } = await world.ask('POST', 'accounts/login', { json: { username, password: 'x' } });
    tokens.set(username, body.accessToken as string);
  }
  const as: RegistryWorld['as'] = (who, method, path, sent = {}) =>
    world.ask(method, path, { token: tokens.get(who), ...sent });
  const task = async (pushed: Promise<Got>): Promise<{ result: unknown; error: unknown }> => {
    const { status, body, text } = await pushed;
    expect(status, text).toBe(202);
    return (await as('registry', 'GET', `tasks/${String(body.taskId)}`)).body as { result: unknown; error: unknown };
  };
  return {
    ...world,
    as,
    call: (method, path, json) => as('registry', method, path, json === undefined ? {} : { json }),
    result: async (pushed) => {
      const { result, error } = await task(pushed);
      expect(error).toBeUndefined();
      return result;
    },
    failure: async (pushed) => (await task(pushed)).error,
    download: async (path, method = 'GET') => {
      const headers = { authorization: `Bearer ${String(tokens.get('registry'))}`, 'content-type': 'application/json' };
      const answer = await fetch(`${world.url}/api/v1/${path}`, { method, headers });
      expect(answer.status).toBe(200);
      return new Uint8Array(await answer.arrayBuffer());
    },
  };
}

/** A block of the given type, open to everybody. */
export const block = (blockType: string, tag: string, options: object = {}): Record<string, unknown> => ({
  ...{ blockType, tag, permissions: ['ANY_ROLE'], defaultActive: true, children: [], events: [], ...options },
});
