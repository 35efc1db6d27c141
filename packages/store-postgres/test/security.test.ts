import { isBlockworkError, type LogFields } from '@blockwork/core';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from '../src/index.js';
import { startServer, type StartedServer } from '../../../test/support/postgres/postgres-server.js';
import { Proxy } from '../../../test/support/postgres/proxy.js';
import { selfSigned } from '../../../test/support/postgres/self-signed.js';

const secret = 'swordfish-3141';

const tls = await selfSigned();
const server = tls === null ? { missing: 'openssl is not installed' } : await startServer({ password: secret, tls });

if ('missing' in server || tls === null) {
  describe('A server that asks for a password and speaks TLS', () => {
    it.skip(`(skipped: ${'missing' in server ? server.missing : ''})`, () => undefined);
  });
} else declareTests(server, tls.certificate);

function declareTests({ address, end }: StartedServer, certificate: string): void {
  afterAll(end);
  const port = new URL(address).port;
  const at = (host: string, password = secret, more = ''): string =>
    `postgres://postgres:${password}@${host}:${port}/postgres${more}`;
  const passwords: unknown[] = [];
  const log = (message: string, fields?: LogFields): void => void passwords.push(message, fields);
  const logger = { debug: log, info: log, warn: log, error: log };
  const open = (options: PostgresStoreOptions): Promise<PostgresStore> =>
    openPostgresStore({ patienceMs: 0, connectMs: 60_000, logger, ...options });
  const failure = async (options: PostgresStoreOptions): Promise<Error> => {
    const error = await open(options).then(
      () => new Error('It was opened.'),
      (reason: unknown) => reason as Error,
    );
    expect(isBlockworkError(error, 'STORE_UNAVAILABLE'), String(error)).toBe(true);
    passwords.push(error);
    return error;
  };

  describe('A server that asks for a password', () => {
    it('gets the one in the address, or the result of a function for each connection', async () => {
      await (await open({ address: at('127.0.0.1') })).close();
      let calls = 0;
      const password = async (): Promise<string> => ((calls += 1), secret);
      const store = await open({ address: at('127.0.0.1', 'outdated'), password });
      await store.commit({ expect: { k: 0 }, changes: [] });
      await store.close();
      expect(calls).toBeGreaterThan(1);
    });

    it('refuses a wrong one at once, with the reason', async () => {
      expect((await failure({ address: at('127.0.0.1', 'wrong-3141'), patienceMs: 60_000 })).message).toContain(
        'password authentication failed',
      );
    });
  });

  describe('TLS', () => {
    it('accepts a server whose certificate a given authority has issued for the host in the address', async () => {
      const store = await open({ address: at('localhost'), tls: { ca: certificate } });
      await store.commit({ expect: { secured: 0 }, changes: [] });
      const [revision] = await store.snapshot(async (reader) => [await reader.revision('secured')]);
      expect(revision).toBe(1);
      await store.close();
    });

    it('refuses a server with an untrusted certificate or another name', async () => {
      expect((await failure({ address: at('localhost', secret, '?sslmode=require') })).message).toMatch(/self-signed/);
      expect((await failure({ address: at('127.0.0.1'), tls: { ca: certificate } })).message).toMatch(/does not match/);
    });

    it('does not fall back to plain text on a server without it', async () => {
      const plain = await startServer();
      if ('missing' in plain) throw new Error(plain.missing);
      const error = await failure({ address: `${plain.address}?sslmode=require` });
      expect(error.message).toContain('add sslmode=disable to the address if the network is trusted');
      await plain.end();
    });
  });

  describe('The password', () => {
    let proxy: Proxy;
    beforeAll(async () => {
      proxy = await Proxy.open(address, { fate: () => 'pass' });
    });
    afterAll(() => proxy.close());

    it('appears in no error and no log', async () => {
      const url = new URL(at('127.0.0.1'));
      url.host = proxy.host;
      const store = await open({ address: url.href, patienceMs: 20, outcomeMs: 20 });
      await store.commit({ expect: { a: 0 }, changes: [] });
      proxy.isAway = true;
      for (const call of [
        () => store.revision('a'),
        () => store.commit({ expect: {}, changes: [] }),
        () => store.now(),
      ]) {
        passwords.push(await call().catch((error: unknown) => error));
      }
      await failure({ address: url.href });
      await failure({ address: `postgres://postgres:${secret}@127.0.0.1:1/postgres` });
      await failure({ address: `postgres://postgres:${secret}@nowhere.invalid/postgres?sslmode=disable` });
      await failure({ address: at('127.0.0.1').replace('/postgres', '/nowhere') });
      await store.close().catch((error: unknown) => passwords.push(error));
      expect(passwords.length).toBeGreaterThan(10);
      const everything = inspect(passwords, {
        depth: Infinity,
        showHidden: true,
        maxStringLength: null,
        maxArrayLength: null,
      });
      expect(everything).toContain('STORE_UNAVAILABLE');
      expect(everything).not.toContain(secret);
    });
  });
}
