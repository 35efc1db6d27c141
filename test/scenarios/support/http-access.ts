/** A scenario's way to a policy over HTTP: a listening server, and a token for each user. */
import type { Caller, Json } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import { ScenarioRefusal, type ScenarioAccess } from '@blockwork/explorer';
import { type PolicyBench } from '@blockwork/testing';
import { createSecretKey } from 'node:crypto';

const secret = createSecretKey(Buffer.alloc(32, 3));
const rules = { issuer: 'https://issuer.example', audience: 'blockwork' } as const;
const gateway: Caller = { did: 'did:bench:gateway', permissions: ['POLICIES_EXTERNAL_DATA_CREATE'] };

export async function overHttp(bench: PolicyBench): Promise<ScenarioAccess & { close(): Promise<void> }> {
  const { engine, policyId } = await bench.open();
  const server = createPolicyServer(engine, { auth: { secret, ...rules } });
  const { url } = await server.listen({ port: 0 });
  const base = `${url}/api/v1`;
  const policy = encodeURIComponent(policyId);

  const call = async (caller: Caller, path: string, body?: unknown): Promise<Json> => {
    const authorization = `Bearer ${signDevelopmentToken(secret, caller, rules)}`;
    const response = await fetch(base + path, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Json;
    if (response.ok) return answer;
    throw refusal(response.status, answer);
  };
  const blocks = (tag: string): string => `/policies/${policy}/tag/${encodeURIComponent(tag)}/blocks`;
  return {
    read: (session, tag) => call(session.caller, blocks(tag)),
    send: (session, tag, body) => call(session.caller, blocks(tag), body),
    external: async (tag, data) => {
      await call(gateway, `/external/${policy}/${encodeURIComponent(tag)}`, data);
    },
    close: () => server.close(),
  };
}

function refusal(status: number, answer: Json): ScenarioRefusal {
  const {
    error,
    message,
    details = [],
  } = answer as {
    error: string;
    message: string;
    details?: { path: string; message: string }[];
  };
  return new ScenarioRefusal(status, [error, message, ...details.map((each) => `${each.path} ${each.message}`)]);
}
