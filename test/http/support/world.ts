/** A listening server over a real engine with the trial policy, and callers of every kind. */
import { createEngine, MemoryStore } from '@blockwork/core';
import type { Caller, LogFields, Logger, PolicyEngine } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import type { PolicyServer, ServerOptions } from '@blockwork/http-koa';
import { createSecretKey } from 'node:crypto';
import { fetch } from './checked-fetch.js';
import { trialBlocks } from './trial-blocks.js';
import type { Gate } from './trial-blocks.js';
import { documents, trialPolicy } from './trial-policy.js';

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

export interface World {
  readonly store: MemoryStore;
  readonly engine: PolicyEngine;
  readonly server: PolicyServer;
  readonly url: string;
  readonly policyId: string;
  readonly gate: Gate;
  readonly log: LogLine[];
  /** A request below `/api/v1`, as the owner unless `headers` say otherwise. */
  call(method: string, path: string, init?: { headers?: Record<string, string>; body?: Payload }): Promise<Response>;
  /** A request with a JSON body. */
  send(method: string, path: string, body: unknown, caller?: Caller): Promise<Response>;
  close(): Promise<void>;
}

export async function openWorld(options: Partial<ServerOptions> = {}): Promise<World> {
  const { blocks, gate } = trialBlocks();
  const log: LogLine[] = [];
  const store = new MemoryStore();
  const engine = createEngine({ store, blocks, trustedInstances: ['far-away'] });
  const { policy } = await engine.importPolicy(owner, trialPolicy);
  await engine.program.documents.add(policy.id, documents(23));
  await engine.sendToBlock(verifier, policy.id, { tag: 'choose_role' }, { role: 'Verifier' });
  await engine.sendToBlock(registrant, policy.id, { tag: 'choose_role' }, { group: 'Team', label: 'Ours' });
  const server = createPolicyServer(engine, { auth: { secret, ...rules }, logger: loggerInto(log), ...options });
  const { url } = await server.listen({ port: 0 });

  const call: World['call'] = (method, path, { headers = {}, body = null } = {}) =>
    fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: bearer(owner), ...headers },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
  return {
    store,
    engine,
    server,
    url,
    policyId: policy.id,
    gate,
    log,
    call,
    send: (method, path, body, caller = owner) =>
      call(method, path, {
        headers: { authorization: bearer(caller), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    close: async () => {
      gate.open();
      await server.close();
      await engine.close();
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
