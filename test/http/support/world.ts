/** The interface over a real engine with the trial policy, behind a listening server or as a function, and callers of every kind. */
import { createEngine, MemoryLedger, MemoryLink, MemoryLinkHub, MemoryStore, newInstanceKey } from '@blockwork/core';
import { publications } from './policy-archive.js';
import type { Caller, EngineOptions, LogFields, Logger, PolicyEngine } from '@blockwork/core';
import { createPolicyHandler, nodeListener } from '@blockwork/http-fetch';
import type { HandlerOptions } from '@blockwork/http-fetch';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import type { PolicyServer, ServerOptions } from '@blockwork/http-koa';
import { createSecretKey } from 'node:crypto';
import { checkedFetch } from './checked-fetch.js';
import type { Fetch } from './checked-fetch.js';
import { listen } from './listen.js';
import { trialBlocks } from './trial-blocks.js';
import type { Gate } from './trial-blocks.js';
import { documents, trialPolicy } from './trial-policy.js';
import { takingEverything } from './webhooks.js';

export const secret = createSecretKey(Buffer.alloc(32, 1));
export const rules = { issuer: 'https://issuer.example', audience: 'blockwork' } as const;

export const owner: Caller = { did: 'did:example:owner', username: 'owner', role: 'STANDARD_REGISTRY' };
const verifier: Caller = { did: 'did:example:verifier', username: 'verifier', role: 'USER' };
export const registrant: Caller = { did: 'did:example:registrant', username: 'registrant', role: 'USER' };
export const stranger: Caller = { did: 'did:example:stranger', username: 'stranger', role: 'USER' };

/** An `Authorization` header for the caller. */
export const bearer = (caller: Caller): string => `Bearer ${signDevelopmentToken(secret, caller, rules)}`;

/** What `fetch` takes as a body. */
export type Payload = RequestInit['body'];

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

/** What every transport has in common. */
export interface World {
  readonly store: MemoryStore;
  readonly engine: PolicyEngine;
  readonly url: string;
  /** Takes the answer as it is. */
  readonly ask: Fetch;
  /** Holds every answer against the contract. */
  readonly fetch: Fetch;
  readonly policyId: string;
  readonly gate: Gate;
  readonly log: LogLine[];
  /** A request below `/api/v1`, as the owner unless `headers` say otherwise. */
  call(method: string, path: string, init?: { headers?: Record<string, string>; body?: Payload }): Promise<Response>;
  /** A request with a JSON body. */
  send(method: string, path: string, body: unknown, caller?: Caller): Promise<Response>;
  close(): Promise<void>;
}

export interface ServedWorld extends World {
  readonly server: PolicyServer;
}

const transportOf = ({ log }: { readonly log: LogLine[] }) => ({ auth: { secret, ...rules }, logger: loggerInto(log) });

/** Behind a Koa server. */
export async function openWorld(
  options: Partial<ServerOptions> = {},
  ports: Partial<EngineOptions> = {},
): Promise<ServedWorld> {
  const trial = await trialEngine(ports);
  const server = createPolicyServer(trial.engine, { ...transportOf(trial), ...options });
  const { url } = await server.listen({ port: 0 });
  return { ...worldOf(trial, url, globalThis.fetch, () => server.close()), server };
}

/** As a function, without a server. */
export async function openFetchWorld(
  options: Partial<HandlerOptions> = {},
  ports: Partial<EngineOptions> = {},
): Promise<World> {
  const trial = await trialEngine(ports);
  const handler = createPolicyHandler(trial.engine, { ...transportOf(trial), ...options });
  const inMemory: Fetch = (url, init) => handler(new Request(url, init));
  return worldOf(trial, 'http://localhost', inMemory, () => Promise.resolve());
}

/** As a function behind Node's own server. */
export async function openNodeWorld(
  options: Partial<HandlerOptions> = {},
  ports: Partial<EngineOptions> = {},
): Promise<World> {
  const trial = await trialEngine(ports);
  const handler = createPolicyHandler(trial.engine, { ...transportOf(trial), ...options });
  const { url, close } = await listen(nodeListener(handler));
  return worldOf(trial, url, globalThis.fetch, close);
}

/** What is promised over every transport is tested with `describe.each` of these. */
export const transports = [
  ['Koa', openWorld],
  ['a handler in memory', openFetchWorld],
  ['a handler behind Node', openNodeWorld],
] as const;

/** An instance that a linked world may ask, and that never answers. */
export const peer = 'elsewhere';

export const linked = (): Partial<EngineOptions> => ({
  link: new MemoryLink({ hub: new MemoryLinkHub() }),
  instance: { id: 'here', key: newInstanceKey().privateKey },
  peers: [{ id: peer, key: newInstanceKey().publicKey, identities: [`did:${peer}:*`] }],
});

type TrialEngine = Pick<World, 'store' | 'engine' | 'policyId' | 'gate' | 'log'>;

async function trialEngine(ports: Partial<EngineOptions>): Promise<TrialEngine> {
  const { blocks, gate } = trialBlocks();
  const store = new MemoryStore();
  const engine = createEngine({
    ...{ store, blocks, trustedInstances: ['far-away'], webhooks: takingEverything },
    ledger: new MemoryLedger(),
    publications,
    operators: [owner.did],
    ...ports,
  });
  const { policy } = await engine.importPolicy(owner, trialPolicy);
  await engine.program.documents.add(policy.id, documents(23));
  await engine.sendToBlock(verifier, policy.id, { tag: 'choose_role' }, { role: 'Verifier' });
  await engine.sendToBlock(registrant, policy.id, { tag: 'choose_role' }, { group: 'Team', label: 'Ours' });
  return { store, engine, policyId: policy.id, gate, log: [] };
}

function worldOf(trial: TrialEngine, url: string, ask: Fetch, closeServer: () => Promise<void>): World {
  const fetch = checkedFetch(ask);
  const call: World['call'] = (method, path, { headers = {}, body = null } = {}) =>
    fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: bearer(owner), ...headers },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
  return {
    ...trial,
    url,
    ask,
    fetch,
    call,
    send: (method, path, body, caller = owner) =>
      call(method, path, {
        headers: { authorization: bearer(caller), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    close: async () => {
      trial.gate.open();
      await closeServer();
      await trial.engine.close();
    },
  };
}

function loggerInto(log: LogLine[]): Logger {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}): void =>
      void log.push({ level, message, fields });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
