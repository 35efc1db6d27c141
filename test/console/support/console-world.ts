/** A server with the console and a small policy in a trial. */
import { createSecretKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { standardBlocks, type StandardBlocksOptions } from '@blockwork/blocks';
import { consoleAssets } from '@blockwork/console';
import { createEngine, recentLog, type Caller, type EngineOptions, type PolicyEngine } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken, type ServerOptions, type TokenOptions } from '@blockwork/http-koa';

const secret = createSecretKey(Buffer.alloc(32, 5));
const sunlight = new URL('../../../examples/test-a-policy/sunlight.policy.json', import.meta.url);

export const owner: Caller = { did: 'did:example:registry', username: 'registry', role: 'STANDARD_REGISTRY' };
export const alice: Caller = { did: 'did:example:alice', username: 'alice', role: 'USER' };

export interface ConsoleWorld {
  readonly engine: PolicyEngine;
  readonly url: string;
  readonly policyId: string;
  /** `lifetime`: in seconds. */
  token(caller: Caller, options?: { readonly lifetime?: number }): string;
  /** Tokens expire earlier by so many milliseconds. */
  passTime(ms: number): void;
  /** Ends the server and every connection to it; `resume` starts it again at the same address, on the same engine. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** Of the server, in place of a secret of the world. */
  readonly auth?: TokenOptions;
  /** Of the engine, besides its blocks. */
  readonly engine?: Pick<
    EngineOptions,
    'ledger' | 'limits' | 'link' | 'nodeName' | 'publications' | 'store' | 'templates' | 'webhooks' | 'witnessMinutes'
  >;
  /** What buttons on rows may ask. */
  readonly integrations?: StandardBlocksOptions['integrations'];
  readonly provider?: NonNullable<ServerOptions['console']>['provider'];
}

export async function openConsoleWorld(options: WorldOptions = {}): Promise<ConsoleWorld> {
  const log = recentLog();
  const logs = { logger: log, recentLog: log };
  const { provider, auth, integrations } = options;
  const blocks = standardBlocks(integrations && { integrations });
  const shown = { trustedInstances: ['far-away'], drafts: 'shared', operators: [owner.did] } as const;
  const engine = createEngine({ blocks, ...shown, ...logs, ...options.engine });
  const { policy } = await engine.importPolicy(owner, JSON.parse(await readFile(sunlight, 'utf8')));
  await engine.lifecycle.dryRun(owner, policy.id);
  let late = 0;
  const clock = { now: () => Date.now() + late };
  const newServer = () =>
    createPolicyServer(engine, {
      auth: { ...(auth ?? { secret }), clock },
      logger: log,
      accessLog: log.only,
      console: { assets: consoleAssets, ...(provider && { provider }) },
      // Streams look this often whether their caller is still known.
      eventHeartbeat: 200,
    });
  let server = newServer();
  const { url } = await server.listen({ port: 0 });
  return {
    engine,
    url,
    policyId: policy.id,
    token: (caller, options) => signDevelopmentToken(secret, caller, options),
    passTime: (ms) => (late += ms),
    pause: async () => server.close(),
    resume: async () => {
      server = newServer();
      await server.listen({ port: Number(new URL(url).port) });
    },
    close: async () => {
      await server.close();
      await engine.close();
    },
  };
}
