/** A server with the console and a small policy in a trial. */
import { createSecretKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { standardBlocks } from '@blockwork/blocks';
import { consoleAssets } from '@blockwork/console';
import { createEngine, type Caller, type PolicyEngine } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';

const secret = createSecretKey(Buffer.alloc(32, 5));
const sunlight = new URL('../../../examples/test-a-policy/sunlight.policy.json', import.meta.url);

export const owner: Caller = { did: 'did:example:registry', username: 'registry', role: 'STANDARD_REGISTRY' };
export const alice: Caller = { did: 'did:example:alice', username: 'alice', role: 'USER' };

export interface ConsoleWorld {
  readonly engine: PolicyEngine;
  readonly url: string;
  readonly policyId: string;
  token(caller: Caller): string;
  /** Ends the server and every connection to it; `resume` starts it again at the same address, on the same engine. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

export async function openConsoleWorld(): Promise<ConsoleWorld> {
  const engine = createEngine({ blocks: standardBlocks() });
  const { policy } = await engine.importPolicy(owner, JSON.parse(await readFile(sunlight, 'utf8')));
  await engine.lifecycle.dryRun(owner, policy.id);
  const newServer = () => createPolicyServer(engine, { auth: { secret }, console: { assets: consoleAssets } });
  let server = newServer();
  const { url } = await server.listen({ port: 0 });
  return {
    engine,
    url,
    policyId: policy.id,
    token: (caller) => signDevelopmentToken(secret, caller),
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
