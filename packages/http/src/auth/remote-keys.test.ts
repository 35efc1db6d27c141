/** The keys of an identity provider: when they are loaded, how long they are used, and what is not loaded at all. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KeySetOptions, KeysUnavailableError, RemoteKeys } from './remote-keys.js';
import type { VerificationKey } from './verification-key.js';

const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
const keyNamed = (kid: string) => ({ ...jwk, kid });
const setOf = (...kids: readonly string[]): string => JSON.stringify({ keys: kids.map(keyNamed) });
const limits = { maxAgeMs: 1_000, staleMs: 5_000, cooldownMs: 100 };

let folder: string;
let files = 0;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'blockwork-keys-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The keys in a file, whose content a test changes. */
async function world(content: string, options: Partial<KeySetOptions> = {}) {
  const path = join(folder, `${String((files += 1))}.json`);
  const url = pathToFileURL(path).href;
  const write = (text: string) => writeFile(path, text);
  await write(content);
  const logged: [string, string, unknown][] = [];
  const log = (level: string) => (message: string, fields?: { readonly error?: unknown }) => {
    const { error } = fields ?? {};
    logged.push([level, message, error instanceof Error ? error.message : error]);
  };
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  const used: (string | undefined)[][] = [];
  let time = Date.UTC(2026, 0, 1);
  const clock = { now: () => time, advance: (ms: number) => void (time += ms) };
  const use = (keys: readonly VerificationKey[]): void => void used.push(keys.map(({ kid }) => kid));
  const keys = new RemoteKeys({ ...limits, url, ...options }, { clock, logger, use });
  return { write, remove: () => rm(path), keys, clock, logged, used };
}

describe('remote keys', () => {
  it('are loaded once with the first request, and are then used without waiting', async () => {
    const { keys, used } = await world(setOf('a'));
    await Promise.all([keys.ready(), keys.ready()]);
    expect([used, keys.ready()]).toEqual([[['a']], null]);
  });

  it('are loaded again after their time, while the old ones are used', async () => {
    const { keys, used, write, clock } = await world(setOf('a'));
    await keys.ready();
    await write(setOf('b'));
    clock.advance(999);
    expect(keys.ready()).toBeNull();
    await keys.refresh();
    expect(used).toEqual([['a'], ['b']]);
    await write(setOf('c'));
    clock.advance(1_000);
    expect(keys.ready()).toBeNull();
    await keys.refresh();
    expect(used.at(-1)).toEqual(['c']);
  });

  it('that are the same again are not handed over again', async () => {
    const { keys, used, clock } = await world(setOf('a'));
    await keys.ready();
    clock.advance(1_000);
    await keys.refresh();
    expect(used).toHaveLength(1);
  });

  it('are asked for at most once in the cooldown, whether that succeeded or not', async () => {
    const { keys, used, write, clock, remove, logged } = await world(setOf('a'));
    await keys.ready();
    await write(setOf('b'));
    clock.advance(99);
    await keys.refresh();
    expect(used).toHaveLength(1);
    clock.advance(1);
    await keys.refresh();
    expect(used).toHaveLength(2);
    await remove();
    clock.advance(100);
    await expect(keys.refresh()).rejects.toThrow(KeysUnavailableError);
    clock.advance(99);
    await expect(keys.refresh()).rejects.toThrow(KeysUnavailableError);
    expect(logged).toHaveLength(1);
  });

  it('are used for the time that they may be stale, and not a moment longer, if they cannot be loaded', async () => {
    const { keys, remove, write, clock, logged } = await world(setOf('a'));
    await keys.ready();
    await remove();
    clock.advance(5_999);
    expect(keys.ready()).toBeNull();
    await expect(keys.refresh()).rejects.toMatchObject({ seconds: 1 });
    clock.advance(1);
    await expect(keys.ready()).rejects.toThrow('The keys for verifying tokens cannot be loaded.');
    await write(setOf('a'));
    clock.advance(100);
    await keys.ready();
    expect(keys.ready()).toBeNull();
    expect(logged.map(([level, message]) => [level, message])).toEqual([
      ['warn', 'The keys of the identity provider cannot be loaded.'],
      ['info', 'The keys of the identity provider can be loaded again.'],
    ]);
  });

  it('that cannot be loaded say in how many seconds they are tried again', async () => {
    const { keys, remove, clock } = await world(setOf('a'), { cooldownMs: 30_000 });
    await remove();
    await expect(keys.ready()).rejects.toMatchObject({ name: 'KeysUnavailableError', seconds: 30 });
    clock.advance(1_001);
    await expect(keys.ready()).rejects.toMatchObject({ seconds: 29, cause: { code: 'ENOENT' } });
  });
});

describe('a set of keys is not loaded', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => `k${String(at)}`);
  const fitting = setOf('a');

  it.each<[string, string, Partial<KeySetOptions>, string]>([
    ['holds more than a hundred', setOf(...hundred, 'one more'), {}, 'holds more than 100 keys'],
    [
      'is larger than it may be',
      fitting,
      { bytes: fitting.length - 1 },
      `It is larger than ${String(fitting.length - 1)} bytes.`,
    ],
    ['has no key that is of use', '{"keys":[{"kty":"oct","k":"AAAA"}]}', {}, 'It has no key for RS256 or ES256.'],
    ['has no list of keys', '{"key":[]}', {}, 'keys'],
    ['is no JSON', 'keys', {}, 'JSON'],
    ['would change what objects are', `{"__proto__":{},"keys":[]}`, {}, 'forbidden'],
  ])('if it %s', async (_, content, options, message) => {
    const { keys, logged, used } = await world(content, options);
    await expect(keys.ready()).rejects.toThrow(KeysUnavailableError);
    expect([logged, used]).toEqual([
      [['warn', 'The keys of the identity provider cannot be loaded.', expect.stringContaining(message)]],
      [],
    ]);
  });

  it('only then', async () => {
    const { keys, used } = await world(setOf(...hundred));
    await keys.ready();
    expect(used[0]).toHaveLength(100);
    const exact = await world(fitting, { bytes: fitting.length });
    await exact.keys.ready();
    expect(exact.used).toEqual([['a']]);
  });

  it('from an address that others could answer for, or that holds a password', () => {
    const keysAt = (url: string) => () => new RemoteKeys({ url }, {} as never);
    for (const url of ['keys.json', 'http://idp.example.org/keys', 'ftp://127.0.0.1/keys'])
      expect(keysAt(url), url).toThrow(/must begin with https:, file:, or http: and a loopback address/);
    for (const url of ['https://a@idp.example.org/', 'https://:b@idp.example.org/'])
      expect(keysAt(url), url).toThrow(/must not hold a name or a password/);
    for (const url of ['https://idp.example.org/keys', 'http://127.0.0.1:8080/keys', 'http://[::1]/keys'])
      expect(keysAt(url), url).not.toThrow();
  });
});

it('a provider is asked for JSON, and believed only if it answers itself, with 200 and in its bytes', async () => {
  const accepted: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    accepted.push(request.headers.accept);
    const path = request.url ?? '';
    if (path === '/moved') response.writeHead(302, { location: '/keys' }).end();
    else if (path === '/missing') response.writeHead(404).end(setOf('a'));
    else response.end(setOf('a'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  try {
    const good = await world('', { url: `${origin}/keys`, bytes: setOf('a').length });
    await good.keys.ready();
    expect([good.used, accepted]).toEqual([[['a']], ['application/jwk-set+json, application/json']]);
    for (const [path, bytes, message] of [
      ['/moved', 9_999, 'fetch failed'],
      ['/missing', 9_999, 'The answer has the status 404.'],
      ['/keys', 20, 'It is larger than 20 bytes.'],
    ] as const) {
      const { keys, logged, used } = await world('', { url: origin + path, bytes });
      await expect(keys.ready()).rejects.toThrow(KeysUnavailableError);
      expect([logged[0]?.[2], used]).toEqual([message, []]);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
