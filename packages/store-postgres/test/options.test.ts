import { describe, expect, it } from 'vitest';
import { openPostgresStore, type PostgresStoreOptions } from '../src/index.js';
import { isLocal, parseAddress } from '../src/connection/address.js';
import { resolveOptions } from '../src/options.js';

const secret = 'swordfish';
const address = `postgres://user:${secret}@db.example/app`;

describe('The address of the database', () => {
  it('names host, port, database, user and password, each with %XX for special characters', () => {
    expect(parseAddress('postgresql://us%40er:p%3Ass%2Fw%25rd@db.example:6543/app?application_name=n')).toEqual({
      host: 'db.example',
      port: 6543,
      database: 'app',
      user: 'us@er',
      password: 'p:ss/w%rd',
      tls: undefined,
      applicationName: 'n',
    });
    expect(parseAddress('postgres://')).toMatchObject({ host: 'localhost', port: 5432, database: undefined });
    expect(parseAddress('postgres:///app?host=/var/run/postgresql')).toMatchObject({
      host: '/var/run/postgresql',
    });
    expect(parseAddress('postgres://[::1]:5433/app')).toMatchObject({ host: '::1', port: 5433 });
  });

  it.each([
    ['nothing', undefined],
    ['no text', 5432],
    ['another protocol', `mysql://user:${secret}@db.example/app`],
    ['a password that is not encoded', `postgres://user:${secret}#1@db.example:54x/app`],
    ['a % that is not followed by hex digits', `postgres://user:${secret}%zz@db.example/app`],
    ['an sslmode that protects from nobody', `${address}?sslmode=prefer`],
    ['several hosts', 'postgres://first,second/app'],
    ['several hosts with ports', 'postgres://first:5432,second:5433/app'],
    ['several hosts in a parameter', `${address}?host=first,second`],
    ['what it demands of sessions', `${address}?target_session_attrs=read-write`],
    ['a parameter that it does not know', `${address}?ssl=${secret}`],
  ])('is refused without being quoted: %s', async (_, wrong) => {
    const opening = openPostgresStore({ address: wrong as string });
    await expect(opening).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringContaining('address') as string,
    });
    const error = (await opening.catch((reason: unknown) => reason)) as Error;
    expect(`${error.message} ${String(error.stack)} ${JSON.stringify(error)}`).not.toContain(secret);
    expect(error.cause).toBeUndefined();
  });
});

describe('The options of the store', () => {
  it('encrypt remote connections and verify the server, unless the address or the option says otherwise', () => {
    const tls = (options: Partial<PostgresStoreOptions>): unknown => resolveOptions({ address, ...options }).tls;
    expect(tls({})).toBe(true);
    expect(tls({ address: `${address}?sslmode=disable` })).toBe(false);
    expect(tls({ address: `${address}?sslmode=require` })).toBe(true);
    expect(tls({ address: 'postgres://localhost/app' })).toBe(false);
    expect(tls({ address: 'postgres://localhost/app?sslmode=verify-full' })).toBe(true);
    expect(tls({ tls: { ca: 'pem' } })).toEqual({ ca: 'pem' });
    expect(tls({ tls: false })).toBe(false);
    expect(['127.0.0.1', '127.1.2.3', '::1', 'localhost', '/run/x'].map(isLocal)).not.toContain(false);
    expect(['10.0.0.1', 'localhost.example', '127.example', '1.127.0.0', ''].map(isLocal)).not.toContain(true);
  });

  it.each<[keyof PostgresStoreOptions, unknown]>([
    ['schema', 'a b'],
    ['readConnections', 0],
    ['commitConnections', 1.5],
    ['lockConnections', 0],
    ['lockWaitMs', 0],
    ['lockIdleMs', 1.5],
    ['connectMs', -1],
    ['statementMs', 0],
    ['patienceMs', NaN],
    ['outcomeMs', 2 ** 40],
    ['password', 'swordfish'],
    ['tls', 'require'],
    ['migrate', null],
    ['logger', {}],
    ['clock', null],
    ['readConnection' as keyof PostgresStoreOptions, 8],
  ])('are refused by name: %s = %j', async (option, value) => {
    await expect(openPostgresStore({ address, [option]: value })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      facts: { option: `postgres store: ${option}` },
    });
  });
});
