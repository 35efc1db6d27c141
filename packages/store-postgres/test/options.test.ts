import { describe, expect, it } from 'vitest';
import { openPostgresStore, type PostgresStoreOptions } from '../src/index.js';
import { isLocal, parseAddress } from '../src/connection/address.js';
import { resolveOptions } from '../src/options.js';

const secret = 'swordfish';
const address = `postgres://user:${secret}@db.example/app`;

describe('The address of the database', () => {
  it('names host, port, database, user and password, each with %XX for special characters', () => {
    expect(parseAddress('postgresql://us%40er:p%3Ass%2Fw%25rd@db.example:6543/app?application_name=n')).toEqual({
      hosts: [{ host: 'db.example', port: 6543 }],
      database: 'app',
      user: 'us@er',
      password: 'p:ss/w%rd',
      tls: undefined,
      applicationName: 'n',
    });
    const hostOf = (text: string): object => parseAddress(text).hosts;
    expect(parseAddress('postgres://')).toMatchObject({
      hosts: [{ host: 'localhost', port: 5432 }],
      database: undefined,
    });
    expect(hostOf('postgres:///app?host=/var/run/postgresql')).toEqual([{ host: '/var/run/postgresql', port: 5432 }]);
    expect(hostOf('postgres://[::1]:5433/app')).toEqual([{ host: '::1', port: 5433 }]);
  });

  it('may name several hosts, each with a port of its own or with one for all', () => {
    const several = `postgres://us:p%2Cw@first:5433,[::1],10.0.0.1:6543/app?target_session_attrs=primary`;
    expect(parseAddress(several)).toMatchObject({
      hosts: [
        { host: 'first', port: 5433 },
        { host: '::1', port: 5432 },
        { host: '10.0.0.1', port: 6543 },
      ],
      password: 'p,w',
    });
    const ports = (port: string): number[] =>
      parseAddress(`postgres:///app?host=a,b&port=${port}`).hosts.map((host) => host.port);
    expect([ports('1,2'), ports('3')]).toEqual([
      [1, 2],
      [3, 3],
    ]);
    expect(resolveOptions({ address: 'postgres://localhost,db.example/app' }).tls).toBe(true);
    expect(resolveOptions({ address: 'postgres://localhost,127.0.0.1/app' }).tls).toBe(false);
  });

  it.each([
    ['nothing', undefined],
    ['no text', 5432],
    ['another protocol', `mysql://user:${secret}@db.example/app`],
    ['a password that is not encoded', `postgres://user:${secret}#1@db.example:54x/app`],
    ['a % that is not followed by hex digits', `postgres://user:${secret}%zz@db.example/app`],
    ['an sslmode that protects from nobody', `${address}?sslmode=prefer`],
    ['more hosts than 16', `postgres://${Array.from({ length: 17 }, (_, at) => `h${at}`).join(',')}/app`],
    ['a port among several hosts that is none', `postgres://user:${secret}@first:5432,second:54x/app`],
    ['another number of ports than of hosts', `postgres:///app?host=first,second,third&port=1,2`],
    ['a port that is too large', `postgres:///app?host=first&port=65536`],
    ['a demand for sessions of a standby', `${address}?target_session_attrs=prefer-standby`],
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
    expect(['127.0.0.1', '127.1.2.3', '::1', 'localhost', '/run/x'].map((host) => isLocal({ host }))).not.toContain(
      false,
    );
    expect(
      ['10.0.0.1', 'localhost.example', '127.example', '1.127.0.0', ''].map((host) => isLocal({ host })),
    ).not.toContain(true);
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
