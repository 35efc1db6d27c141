import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { channels } from '@blockwork/core';
import { blockBench, type BlockBench } from '@blockwork/testing';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpRequestBlock, type HttpRequestOptions } from './http-request.js';
import { nodeTransport } from './transport.js';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const requests: Seen[] = [];
const nothing: Seen = { method: '', url: '', headers: {}, body: '' };
let server: Server;
let base = '';

/** Answers by path; keeps what it was asked. */
beforeAll(async () => {
  server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const part of request) body += String(part);
      requests.push({ method: request.method, url: request.url, headers: request.headers, body });
      const path = request.url ?? '';
      if (path.startsWith('/v1/echo')) {
        response.end(JSON.stringify({ ...(JSON.parse(body) as object), authorization: request.headers.authorization }));
      } else if (path.startsWith('/v1/moved')) response.writeHead(302, { location: '/v1/price?moved' }).end();
      else if (path.startsWith('/v1/circle')) response.writeHead(302, { location: '/v1/circle' }).end();
      else if (path.startsWith('/v1/away')) response.writeHead(302, { location: 'http://localhost:1/v1/price' }).end();
      else if (path.startsWith('/v1/up')) response.writeHead(302, { location: '/private' }).end();
      else if (path.includes('/broken')) response.writeHead(500).end('{}');
      else if (path.startsWith('/v1/text')) response.end('no json');
      else if (path.startsWith('/v1/large')) response.end(JSON.stringify({ text: 'x'.repeat(3000) }));
      else if (path.startsWith('/v1/endless')) response.end(`[${'{},'.repeat(20_000)}{}]`);
      else if (path.startsWith('/v1/list')) response.end('[{"n":1},{"n":2}]');
      else if (!path.startsWith('/v1/silent')) response.end('{"type":"Price","price":12.5}');
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const bench = (options: Readonly<Record<string, unknown>>, own: HttpRequestOptions = {}): BlockBench =>
  blockBench(httpRequestBlock({ allow: [`${base}/v1`], maxBytes: 2000, ...own }), { options });

const document = {
  owner: 'did:bench:installer',
  messageId: '1.000000001',
  document: { type: ['VerifiableCredential'], credentialSubject: [{ name: 'a/b?c="d"', count: 3, tags: ['x'] }] },
};

const run = async (block: BlockBench, sent = document): Promise<unknown> => {
  await block.as('Installer').event('RunEvent', sent);
  return block.emitted.find(({ output }) => output === 'RunEvent')?.data;
};

describe('httpRequestBlock', () => {
  it('makes a credential of the answer, signed by the owner of the policy, that goes back to the document', async () => {
    expect(await run(bench({ url: `${base}/v1/price` }))).toMatchObject({
      owner: 'did:bench:installer',
      schema: '#Price',
      relationships: ['1.000000001'],
      document: { issuer: 'did:bench:owner', credentialSubject: [{ price: 12.5 }], proof: {} },
    });
  });

  it('fills addresses, headers and bodies with what the document says, encoded for where it stands', async () => {
    const subject = 'document.credentialSubject.0';
    await run(
      bench({
        url: `${base}/v1/\${${subject}.name}?by=\${did}`,
        method: 'post',
        headers: [
          { name: 'X-Count', value: `n \${${subject}.count}` },
          { name: 'Host', value: 'elsewhere' },
        ],
        body: `{"name": "\${${subject}.name}", "text": "n \${${subject}.count}", "tags": "\${${subject}.tags}", "count": \${${subject}.count}}`,
      }),
    );
    const { method, url, headers, body } = requests.at(-1) ?? nothing;
    expect(method).toBe('POST');
    expect(url).toBe('/v1/a%2Fb%3Fc%3D%22d%22?by=did%3Abench%3Ainstaller');
    expect(headers).toMatchObject({ 'x-count': 'n 3', host: base.slice(7), 'content-type': 'application/json' });
    expect(JSON.parse(body)).toEqual({ name: 'a/b?c="d"', text: 'n 3', tags: ['x'], count: 3 });
  });

  it('passes the trace on that it belongs to, unless the policy says another', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const stop = channels.send.subscribe({ start: (operation) => void (operation.traceparent = traceparent) });
    await run(bench({ url: `${base}/v1/price` }));
    expect(requests.at(-1)?.headers['traceparent']).toBe(traceparent);
    await run(bench({ url: `${base}/v1/price`, headers: [{ name: 'Traceparent', value: 'of the policy' }] }));
    expect(requests.at(-1)?.headers['traceparent']).toBe('of the policy');
    stop();
    await run(bench({ url: `${base}/v1/price` }));
    expect(requests.at(-1)?.headers).not.toHaveProperty('traceparent');
  });

  it('makes one credential for each of a list', async () => {
    expect(await run(bench({ url: `${base}/v1/list` }))).toMatchObject([
      { document: { credentialSubject: [{ n: 1 }] } },
      { document: { credentialSubject: [{ n: 2 }] } },
    ]);
  });

  it('refuses an answer with too many documents before it signs the first one', async () => {
    const endless = bench({ url: `${base}/v1/endless` }, { maxBytes: 100_000 });
    await expect(run(endless)).rejects.toMatchObject({ code: 'DOCUMENTS_TOO_MANY' });
  });

  it('calls nothing unless the program allows it', async () => {
    const before = requests.length;
    const url = `${base}/v1/price`;
    await expect(run(bench({ url }, { allow: [] }))).rejects.toThrow('no address is allowed here');
    await expect(run(bench({ url }, { allow: ['https://api.example.org'] }))).rejects.toMatchObject({
      code: 'HOST_NOT_ALLOWED',
    });
    await expect(run(bench({ url: `${base}/v10` }))).rejects.toMatchObject({ code: 'HOST_NOT_ALLOWED' });
    await expect(run(bench({ url: `${base}/v1/../secret` }))).rejects.toMatchObject({ code: 'HOST_NOT_ALLOWED' });
    await expect(run(bench({ url: `${base}/v1/%2e%2e/secret` }))).rejects.toMatchObject({ code: 'HOST_NOT_ALLOWED' });
    expect(requests).toHaveLength(before);
  });

  it('does not let a name of the list lead into a private network, unless it is named for that', async () => {
    const port = base.split(':').at(-1) ?? '';
    const before = requests.length;
    const exchange = { url: new URL(`http://localhost:${port}/v1/price`), method: 'GET', headers: {}, body: undefined };
    const limits = { signal: AbortSignal.timeout(5000), maxBytes: 2000, mayBePrivate: false };
    await expect(nodeTransport(exchange, limits)).rejects.toThrow('localhost resolves to a private address');
    await expect(nodeTransport({ ...exchange, url: new URL(base) }, limits)).rejects.toThrow('a private address');
    expect(requests).toHaveLength(before);
    const named = `http://localhost:${port}/v1/price`;
    expect(await run(bench({ url: named }, { allow: [named] }))).toMatchObject({ schema: '#Price' });
  });

  it('follows a redirection within the host and the list only, and not for ever', async () => {
    expect(await run(bench({ url: `${base}/v1/moved` }))).toMatchObject({ schema: '#Price' });
    await expect(run(bench({ url: `${base}/v1/away` }))).rejects.toThrow('redirects to another place');
    await expect(run(bench({ url: `${base}/v1/up` }))).rejects.toMatchObject({ code: 'HOST_NOT_ALLOWED' });
    await expect(run(bench({ url: `${base}/v1/circle` }))).rejects.toThrow('redirects in circles');
    await expect(run(bench({ url: `${base}/v1/moved`, method: 'POST' }))).rejects.toThrow('redirects to another place');
  });

  it.each([
    ['broken', 'it answered with the status 500'],
    ['text', 'its answer is neither a JSON object'],
    ['large', 'the answer is larger than 2000 bytes'],
  ])('says what was wrong with the answer of /%s', async (path, reason) => {
    const block = bench({ url: `${base}/v1/${path}` });
    await expect(run(block)).rejects.toMatchObject({ code: 'REMOTE_CALL_FAILED', status: 502 });
    await expect(run(block)).rejects.toThrow(reason);
    expect(block.emitted).toEqual([]);
  });

  it('does not wait for ever', async () => {
    await expect(run(bench({ url: `${base}/v1/silent` }, { timeoutMs: 50 }))).rejects.toThrow('no answer within 50 ms');
  });

  it('refuses to call with a placeholder that nothing fills', async () => {
    await expect(run(bench({ url: `${base}/v1/\${document.nothing}` }))).rejects.toThrow(
      'nothing at "document.nothing"',
    );
    await expect(run(bench({ url: `${base}/v1/\${document.type}` }))).rejects.toThrow(
      'an object or a list at "document.type"',
    );
    await expect(run(bench({ url: `${base}/v1`, method: 'PUT', body: '{"a":' }))).rejects.toThrow('not JSON');
  });

  const named = (name: string): typeof document => ({
    ...document,
    document: { ...document.document, credentialSubject: [{ name, count: 3, tags: [] }] },
  });

  it.each(['..', '.', ''])('is not led to another place by the text %j of a member', async (name) => {
    const calls = requests.length;
    for (const path of [
      '/v1/items/${document.credentialSubject.0.name}/state',
      '/v1/${document.credentialSubject.0.name}',
    ])
      await expect(run(bench({ url: base + path }), named(name))).rejects.toMatchObject({
        code: 'BLOCK_MISCONFIGURED',
        message: expect.stringContaining('of its path would be'),
      });
    await expect(
      run(bench({ url: `${base}/v1/.\${document.credentialSubject.0.name}` }), named('.')),
    ).rejects.toThrow();
    expect(requests).toHaveLength(calls);
  });

  it('keeps the number of segments, whatever text of a member is filled in', async () => {
    for (const name of ['../..', '%2e%2e', '..%2f', '\\..\\', 'a/b', '.a', '...', '?x', '#x', '@', ':', ';', '..;']) {
      await run(bench({ url: `${base}/v1/items/\${document.credentialSubject.0.name}/state` }), named(name));
      expect(requests.at(-1)?.url).toMatch(/^\/v1\/items\/[^/?]+\/state$/);
    }
  });

  it('works with a fetch of the program', async () => {
    const fetch = (): Promise<Response> => Promise.resolve(Response.json({ type: 'Mocked' }));
    const own = { allow: ['https://api.example.org'], fetch };
    expect(await run(bench({ url: 'https://api.example.org/x' }, own))).toMatchObject({ schema: '#Mocked' });
  });

  it('finds addresses that cannot be called', async () => {
    expect(await bench({ url: 'nowhere' }).findings()).toMatchObject([{ severity: 'error' }]);
    expect(await bench({ url: 'https://api.example.org' }).findings()).toMatchObject([{ severity: 'warning' }]);
    const secrets = 'https://user:hidden@api.example.org/v1?key=hidden#hidden';
    for (const url of [secrets, secrets.replace('https', 'nowhere'), '//user:hidden@[/?hidden']) {
      const findings = await bench({ url }).findings();
      expect(findings).not.toEqual([]);
      expect(JSON.stringify(findings)).not.toContain('hidden');
    }
    expect(await bench({ url: `${base}/v1`, headers: null, body: null, method: '' }).findings()).toEqual([]);
  });

  it('does not take a list that says nothing definite', () => {
    expect(() => httpRequestBlock({ allow: ['example.org'] })).toThrow(
      'httpRequest.allow[0] cannot be used: it must be an address such as',
    );
    expect(() => httpRequestBlock({ timeoutMs: 0 })).toThrow('httpRequest.timeoutMs');
    expect(() => httpRequestBlock({ alow: [] } as never)).toThrow('did you mean "allow"?');
    expect(() => httpRequestBlock({ allow: ['ftp://example.org'] })).toThrow(
      'httpRequest.allow[0] cannot be used: it must be an address such as',
    );
  });
});

/** Long enough to be told from other text, with characters that are written differently in an address and in JSON. */
const SECRET = 'pa"ss wörd/+1';

describe('a secret in a request', () => {
  const addresses: string[] = [];
  const secrets = {
    get: (name: string) => {
      addresses.push(name);
      return Promise.resolve({ KEY: SECRET, PLAIN: 'plain-secret-value' }[name]);
    },
  };
  const secret = (options: Readonly<Record<string, unknown>>): BlockBench =>
    blockBench(httpRequestBlock({ allow: [`${base}/v1`], maxBytes: 2000 }), { options, secrets });
  const everything = async (block: BlockBench): Promise<string> => {
    const { engine, policyId, owner } = await block.open();
    return JSON.stringify([
      block.emitted,
      await block.documents(),
      await block.findings(),
      await engine.journal.list(owner, policyId),
    ]);
  };

  it('is filled in where the policy refers to it, encoded for its place, and asked for each time', async () => {
    const block = secret({
      url: `${base}/v1/price?key={{secret:KEY}}`,
      method: 'POST',
      headers: [{ name: 'Authorization', value: 'Bearer {{secret:PLAIN}}' }],
      body: '{"key": "{{secret:KEY}}", "text": "key {{ secret:KEY }}", "bare": {{secret:KEY}}}',
    });
    addresses.length = 0;
    await run(block);
    const { url, headers, body } = requests.at(-1) ?? nothing;
    expect(url).toBe(`/v1/price?key=${encodeURIComponent(SECRET)}`);
    expect(headers.authorization).toBe('Bearer plain-secret-value');
    expect(JSON.parse(body)).toEqual({ key: SECRET, text: `key ${SECRET}`, bare: SECRET });
    expect(addresses.sort()).toEqual(['KEY', 'PLAIN']);
    await run(block);
    expect(addresses).toHaveLength(4);
    expect(await everything(block)).not.toMatch(/pa.{1,3}ss|plain-secret/);
  });

  it('is not filled in where a document says so', async () => {
    const hostile = { ...document, document: { credentialSubject: [{ name: '{{secret:KEY}}' }] } };
    const name = '${document.credentialSubject.0.name}';
    const block = secret({ url: `${base}/v1/price?q=${name}`, method: 'POST', body: `{"name": "${name}"}` });
    addresses.length = 0;
    await block.as('Installer').event('RunEvent', hostile);
    expect(JSON.parse(requests.at(-1)?.body ?? '')).toEqual({ name: '{{secret:KEY}}' });
    expect(addresses).toEqual([]);
  });

  it('is in no answer that sends it back, and in no error', async () => {
    const echo = secret({
      url: `${base}/v1/echo`,
      method: 'POST',
      headers: [{ name: 'Authorization', value: 'Bearer {{secret:PLAIN}}' }],
      body: '{"type": "Echo", "key": "{{secret:KEY}}"}',
    });
    expect(await run(echo)).toMatchObject({
      document: { credentialSubject: [{ key: '{{secret:KEY}}', authorization: 'Bearer {{secret:PLAIN}}' }] },
    });
    expect(await everything(echo)).not.toMatch(/pa.{1,3}ss|plain-secret/);
    for (const path of ['/v1/{{secret:PLAIN}}/broken', '/v1/broken/{{secret:PLAIN}}', '/{{secret:PLAIN}}']) {
      const failure: unknown = await run(secret({ url: base + path })).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: expect.stringMatching(/REMOTE_CALL_FAILED|HOST_NOT_ALLOWED/) as string });
      expect(inspect(failure, { depth: 10 })).not.toContain('plain-secret');
    }
    const fetch = (url: unknown): Promise<Response> => Promise.reject(new Error(`cannot reach ${String(url)}`));
    const own = blockBench(httpRequestBlock({ allow: [`${base}/v1`], fetch }), {
      options: { url: `${base}/v1/x?key={{secret:PLAIN}}` },
      secrets,
    });
    const failure: unknown = await run(own).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'REMOTE_CALL_FAILED',
      message: expect.stringContaining('cannot reach') as string,
    });
    expect(inspect(failure, { depth: 10 })).not.toContain('plain-secret');
  });

  it('that the engine does not have is named, and nothing is called', async () => {
    const before = requests.length;
    await expect(run(secret({ url: `${base}/v1/price?key={{secret:MISSING}}` }))).rejects.toMatchObject({
      code: 'SECRET_UNKNOWN',
      facts: { name: 'MISSING' },
    });
    expect(requests).toHaveLength(before);
  });

  it('is a finding when its value is written into the policy', async () => {
    const literal = secret({
      url: `${base}/v1/price?api_key=abc&q=1`,
      headers: [
        { name: 'Accept', value: 'text/plain' },
        { name: 'authorization', value: 'Bearer abc' },
        { name: 'X-Api-Key', value: 'abc' },
      ],
      body: '{"login": {"password": "abc", "name": "abc"}}',
    });
    const findings = await literal.findings();
    expect(
      findings.filter(({ code }) => code === 'SECRET_LITERAL').map(({ path, severity }) => [path, severity]),
    ).toEqual(
      ['/headers/1/value', '/headers/2/value', '/url', '/body'].map((path) => [
        expect.stringMatching(new RegExp(`${path}$`)) as string,
        'warning',
      ]),
    );
    for (const name of ['key', 'token', 'sig', 'pass']) {
      const inQuery = await secret({ url: `${base}/v1/price?${name}=abc` }).findings();
      expect(inQuery).toMatchObject([{ code: 'SECRET_LITERAL' }]);
    }
    const good = secret({
      url: `${base}/v1/price?api_key={{secret:KEY}}&token=\${document.token}`,
      headers: [{ name: 'Authorization', value: 'Basic {{secret:KEY}}' }],
      body: '{"password": "{{secret:KEY}}"}',
    });
    expect(await good.findings()).toEqual([]);
  });

  it('that is written into a policy is shown to its owner alone', async () => {
    const block = secret({
      url: `${base}/v1?key=abc-1`,
      headers: [{ name: 'Authorization', value: 'abc-2' }],
      body: '"abc-3"',
    });
    const { engine, policyId, owner } = await block.open();
    expect(JSON.stringify(await engine.getPolicy(owner, policyId))).toMatch(/abc-1.*abc-2.*abc-3/);
    const user = { did: 'did:test:user', role: 'USER' };
    expect(JSON.stringify(await engine.getPolicy(user, policyId))).not.toContain('abc-');
  });
});
