/** A client of several nodes: real servers, of which one stops and returns. */
import { createClient, type Client } from '@blockwork/client';
import { acrossNodes } from '@blockwork/client/nodes';
import { createEngine, silentLogger, type PolicyEngine } from '@blockwork/core';
import { createPolicyHandler, nodeListener } from '@blockwork/http-fetch';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listen } from './support/listen.js';
import { bearer, owner, secret } from './support/world.js';

const NODES = 3;
const policyIds = Array.from({ length: 60 }, (_, at) => `policy-${String(at)}`);

let engine: PolicyEngine;
let nodes: Awaited<ReturnType<typeof listen>>[];
/** What each node was asked for, by its address. */
let asked: Map<string, string[]>;
const stopped = new Set<string>();

beforeEach(async () => {
  engine = createEngine({ logger: silentLogger });
  const answer = nodeListener(createPolicyHandler(engine, { auth: { secret } }));
  asked = new Map();
  stopped.clear();
  nodes = await Promise.all(
    Array.from({ length: NODES }, () =>
      listen((request, response) => {
        const address = `http://${request.headers.host ?? ''}`;
        // As a node that dies does.
        if (stopped.has(address)) return request.socket.destroy();
        asked.set(address, [...(asked.get(address) ?? []), request.url ?? '']);
        return answer(request, response);
      }),
    ),
  );
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(nodes.map(({ close }) => close()));
  await engine.close();
});

function clientOf(): Client {
  const addresses = nodes.map(({ url }) => url);
  const [url = ''] = addresses;
  return createClient({ url, fetch: acrossNodes(addresses), token: bearer(owner).slice('Bearer '.length) });
}

/** The node that answers for each policy. None is there, which takes an answer to say. */
async function nodesOf(client: Client): Promise<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const id of policyIds) {
    asked.clear();
    await expect(client.policy(id).get()).rejects.toMatchObject({ status: 404 });
    result[id] = [...asked.keys()].join();
  }
  return result;
}

it('every client sends the requests for a policy to the same node, and uses all nodes', async () => {
  const first = await nodesOf(clientOf());
  expect(await nodesOf(clientOf())).toEqual(first);
  expect(new Set(Object.values(first))).toEqual(new Set(nodes.map(({ url }) => url)));
});

it('of a node that stops, the policies go to the others at once, and come back when it has returned', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const client = clientOf();
  const before = await nodesOf(client);
  const [gone = ''] = Object.values(before);
  stopped.add(gone);
  const during = await nodesOf(client);
  for (const id of policyIds) {
    if (before[id] === gone) expect(during[id]).not.toBe(gone);
    else expect(during[id]).toBe(before[id]);
  }
  stopped.clear();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await nodesOf(client)).toEqual(before);
});

it('what concerns no policy is asked of any node', async () => {
  const client = clientOf();
  for (let call = 0; call < 60; call += 1) for await (const _ of client.policies()) throw new Error('There is none.');
  expect(asked.size).toBe(NODES);
});

it('where no node answers, that is the error', async () => {
  const client = clientOf();
  for (const { url } of nodes) stopped.add(url);
  await expect(client.policy('p').get()).rejects.toMatchObject({ error: 'NO_ANSWER' });
});

it('keeps the paths of the nodes, the method and the body', async () => {
  const sent: Request[] = [];
  const fetch = acrossNodes(['http://a.example/registry', 'http://b.example/other/'], (request) => {
    sent.push(request);
    return Promise.resolve(Response.json({}));
  });
  const url = 'http://a.example/registry';
  for (const id of policyIds) {
    await createClient({ url, fetch }).policy(id).block('form').send({ id });
  }
  for (const [at, request] of sent.entries()) {
    expect(request.url).toMatch(
      new RegExp(`^http://(a.example/registry|b.example/other)/api/v1/policies/policy-${String(at)}/tag/form/blocks$`),
    );
    expect([request.method, await request.json()]).toEqual(['POST', { id: policyIds[at] }]);
  }
  expect(new Set(sent.map((request) => new URL(request.url).host)).size).toBe(2);
});

it.each([[[]], [['http://a.example', 7]], [['http://user:password@a.example']], [Array(101).fill('http://a.example')]])(
  'a list that is no list of addresses is refused: %j',
  (url) => {
    expect(() => acrossNodes(url as string[])).toThrow('The argument addresses of acrossNodes must');
  },
);
