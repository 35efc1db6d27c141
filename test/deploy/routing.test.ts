/** The configuration of the balancer: requests for one policy go to one node, and to another when it is gone. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type PolicyEngine } from '@blockwork/core';
import { createPolicyServer, type PolicyServer } from '@blockwork/http-koa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from './support/files.js';

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;
const NODES = 3;

/** As it is, but for the servers and the address, which the composition has for it. */
const configured = async (port: number, nodes: readonly number[]): Promise<string> =>
  (await textOf('compose/haproxy.cfg'))
    .replace(/^resolvers composition\n( .*\n)+/m, '')
    .replace(' resolvers composition init-addr libc,none', '')
    .replace('bind :8080', `bind 127.0.0.1:${String(port)}`)
    .replace(
      /^ +server-template .*$/m,
      nodes.map((at) => `    server n${String(at)} 127.0.0.1:${String(at)}`).join('\n'),
    );

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe.skipIf(!hasHaproxy)('behind the balancer', () => {
  const ids = Array.from({ length: 24 }, (_, at) => `policy-${String(at)}`);
  const nodes: PolicyServer[] = [];
  const engines: PolicyEngine[] = [];
  let haproxy: ChildProcess;
  let folder: string;
  let url: string;

  /** The node that answers a request, as its access tells. */
  async function nodeOf(path: string): Promise<number> {
    for (;;) {
      const before = counts();
      const answer = await fetch(url + path).catch(() => null);
      await answer?.arrayBuffer();
      const at = counts().findIndex((count, node) => count !== before[node]);
      // While the balancer starts, or learns that a node is gone, it answers by itself.
      if (answer !== null && answer.status < 500 && at >= 0) return at;
    }
  }
  const requests = new Array<number>(NODES).fill(0);
  const counts = (): number[] => [...requests];

  beforeAll(async () => {
    const ports: number[] = [];
    for (let at = 0; at < NODES; at += 1) {
      const info = (): void => void (requests[at] = (requests[at] ?? 0) + 1);
      const accessLog = { debug: () => undefined, info, warn: info, error: info };
      const engine = createEngine();
      engines.push(engine);
      const node = createPolicyServer(engine, { auth: { secret: Buffer.alloc(32, 1) }, accessLog });
      ports.push(Number(new URL((await node.listen({ port: 0 })).url).port));
      nodes.push(node);
    }
    folder = await mkdtemp(join(tmpdir(), 'blockwork-haproxy-'));
    const port = await freePort();
    const file = join(folder, 'haproxy.cfg');
    await writeFile(file, await configured(port, ports));
    expect(spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' }).stderr).not.toMatch(/ALERT|WARNING/);
    haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
    url = `http://127.0.0.1:${String(port)}`;
    await nodeOf('/api/v1/policies');
  });

  afterAll(async () => {
    haproxy.kill('SIGKILL');
    await once(haproxy, 'exit');
    for (const node of nodes) await node.close();
    for (const engine of engines) await engine.close();
    await rm(folder, { recursive: true });
  });

  const tokensOf = (id: string): string => `/api/v1/policies/${id}/tokens`;

  it('all requests for a policy go to one node, whatever they ask, and policies are divided among the nodes', async () => {
    const byPolicy: number[] = [];
    for (const id of ids) {
      const at = await nodeOf(tokensOf(id));
      expect(await nodeOf(`/api/v1/policies/${id}/tag/grid/blocks?page=2`)).toBe(at);
      expect(await nodeOf(`/api/v1/policies/${id}`)).toBe(at);
      byPolicy.push(at);
    }
    expect(new Set(byPolicy).size).toBe(NODES);
  });

  it('when a node is gone, its policies go to others, and those of others stay', async () => {
    const before = new Map<string, number>();
    for (const id of ids) before.set(id, await nodeOf(tokensOf(id)));
    await nodes[0]?.close();
    for (const [id, node] of before) {
      const now = await nodeOf(tokensOf(id));
      if (node === 0) expect(now).not.toBe(0);
      else expect(now).toBe(node);
    }
  });
});
