/** A Koa server with a sandbox in front of it. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, silentLogger, type PolicyEngine, type PolicyStore, type RecentLog } from '@blockwork/core';
import type { BlockType } from '@blockwork/core/block';
import { createPolicyServer } from '@blockwork/http-koa';
import { createSandbox, type SandboxOptions } from '@blockwork/sandbox';
import { randomBytes } from 'node:crypto';
import { send, type Got, type Sent } from './http.js';

export interface SandboxWorld {
  readonly url: string;
  readonly engine: PolicyEngine;
  readonly secret: SandboxOptions['secret'];
  /** `path` follows the prefix. */
  ask(method: string, path: string, sent?: Sent): Promise<Got>;
  close(): Promise<void>;
}

export async function openSandboxWorld(
  options: Partial<SandboxOptions> = {},
  blocks: readonly BlockType[] = standardBlocks(),
  store?: PolicyStore,
  log?: RecentLog,
): Promise<SandboxWorld> {
  const { secret = randomBytes(32) } = options;
  const logging = log === undefined ? { logger: silentLogger } : { logger: log, recentLog: log };
  const sandbox = createSandbox({ ...options, secret });
  const engine = createEngine({ blocks, ...(store && { store }), accounts: sandbox.accounts, ...logging });
  const server = createPolicyServer(engine, { auth: { secret }, sandbox, logger: silentLogger });
  const { url } = await server.listen({ port: 0 });
  return {
    url,
    engine,
    secret,
    ask: (method, path, sent) => send(method, `${url}/api/v1/${path}`, sent),
    close: async () => {
      await server.close();
      await engine.close();
    },
  };
}
