import { createSecretKey } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { RequestOptions, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEngine } from '@blockwork/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPolicyHandler, nodeListener, signDevelopmentToken } from '../src/index.js';

const secret = createSecretKey(Buffer.alloc(32, 7));
const authorization = `Bearer ${signDevelopmentToken(secret, { did: 'did:example:ana', role: 'USER' })}`;
const engine = createEngine();
let server: Server;

beforeAll(async () => {
  // As the page shows it: nobody hears of what the listener rejects with, and the process would end.
  const listener = nodeListener(createPolicyHandler(engine, { auth: { secret } }));
  server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  await engine.close();
});

interface Answer {
  readonly status: number | undefined;
  readonly allow: string | undefined;
  readonly body: unknown;
}

/** `fetch` sends neither other methods nor other targets. */
const ask = (options: RequestOptions): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const sent = request({ host: '127.0.0.1', port, headers: { authorization }, timeout: 3000, ...options });
    sent.on('timeout', () => sent.destroy(new Error('There is no answer.')));
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode, allow: response.headers.allow, body: JSON.parse(text) as unknown }),
      );
    });
    sent.end();
  });

it('a method that the Fetch standard forbids is refused as any other that the path does not have', async () => {
  expect(await ask({ method: 'TRACE', path: '/api/v1/policies' })).toMatchObject({
    status: 405,
    allow: 'GET, HEAD, POST',
    body: { error: 'METHOD_NOT_ALLOWED', message: 'Method TRACE not allowed; use GET, HEAD, POST.' },
  });
  expect(await ask({ method: 'TRACE', path: '/nothing' })).toMatchObject({ status: 404 });
});

it.each(['http://registry.example/api/v1/policies?pageSize=1', 'http://registry.example:80/api/v1/policies'])(
  'a target may be absolute, as proxies send it: %s',
  async (path) => {
    expect(await ask({ path })).toMatchObject({ status: 200, body: [] });
  },
);

it.each([
  ['OPTIONS', '*'],
  ['GET', 'http://[/'],
  ['GET', '//[/'],
])('%s %s has no route', async (method, path) => {
  expect(await ask({ method, path })).toMatchObject({ status: 404, body: { error: 'ROUTE_UNKNOWN' } });
});
