/** Equal worlds, one for each transport: each request goes to all of them, and the answers are compared. */
import { SeededKeys } from '@blockwork/core';
import type { EngineOptions, Ids } from '@blockwork/core';
import { expect } from 'vitest';
import { hasWrongParameter, isWellFormed, sharedDocumentVerdict } from './document-verdict.js';
import { linked, openFetchWorld, openNodeWorld, openWorld } from './world.js';
import type { ServedWorld, World } from './world.js';

export interface EqualWorlds {
  readonly koa: ServedWorld;
  readonly policyId: string;
  /** Sends a request to all, expects equal answers, and that the OpenAPI document allows what is taken and no wrong parameters. Returns one. `path` includes the prefix. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Does the same in all worlds, expects equal results, and returns one. */
  all<Result>(action: (world: World) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export async function openEqualWorlds(): Promise<EqualWorlds> {
  const koa = await openWorld({ ids: counted('1') }, ports());
  const memory = await openFetchWorld({ ids: counted('1') }, ports());
  const node = await openNodeWorld({ ids: counted('1') }, ports());
  const verdict = await sharedDocumentVerdict();
  return {
    koa,
    policyId: koa.policyId,
    fetch: async (path, init) => {
      // What equals a checked answer needs no check of its own.
      const others = [memory, node].map((world) => world.ask(world.url + path, init));
      const [first, ...answers] = await Promise.all([koa.fetch(koa.url + path, init), ...others]);
      const expected = await content(first);
      for (const answer of answers) expect(await content(answer)).toEqual(expected);
      if (await hasWrongParameter(first)) expect(await verdict.refusal(path, init), path).not.toBeNull();
      // Asked with the caller's own token, which each world leaves out: what the document secures is not taken without.
      if (isWellFormed(first)) expect(await verdict.refusal(path, init), path).toBeNull();
      return first;
    },
    all: async (action) => {
      const first = await action(koa);
      for (const world of [memory, node]) expect(await action(world)).toEqual(first);
      return first;
    },
    close: async () => {
      await Promise.all([koa, memory, node].map((world) => world.close()));
    },
  };
}

/** Everything that a world would choose itself. */
const ports = (): Partial<EngineOptions> => ({
  ids: counted('2'),
  clock: { now: () => Date.UTC(2026, 2, 14, 9, 26, 53) },
  keys: new SeededKeys(new Uint8Array(32).fill(3)),
  ...linked(),
});

export function counted(first: string): Ids {
  let count = 0;
  return { uuid: () => `${first.repeat(8)}-0000-4000-8000-${String((count += 1)).padStart(12, '0')}` };
}

/** Of the connection, not of the answer. */
const transportHeaders = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

async function content(response: Response): Promise<unknown> {
  const headers = [...response.headers].filter(([name]) => !transportHeaders.has(name));
  return {
    status: response.status,
    headers,
    body: Buffer.from(await response.clone().arrayBuffer()).toString('base64'),
  };
}
