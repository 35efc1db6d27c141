/** Settings: defaults that work, and messages that name the variable. */
import { describe, expect, test } from 'vitest';
import { isDemo, readSettings } from './settings.js';

test('everything has a default', () => {
  const { owner, operators } = readSettings({ BLOCKWORK_OWNER: 'did:web:example.org' });
  expect([owner, operators]).toEqual(['did:web:example.org', ['did:web:example.org']]);
  expect(readSettings({ BLOCKWORK_OPERATORS: 'none' }).operators).toEqual([]);
  expect(readSettings({ BLOCKWORK_OPERATORS: 'did:web:a.org, did:web:b.org' }).operators).toHaveLength(2);
  expect(() => readSettings({ BLOCKWORK_OPERATORS: 'did:web:a.org, b' })).toThrow('BLOCKWORK_OPERATORS must be DIDs');
  expect(readSettings({})).toMatchObject({ port: 3000, host: '127.0.0.1', owner: 'did:example:registry', log: 'info' });
  expect(readSettings({})).toMatchObject({ logFormat: 'plain', drainMs: 0, journalEntries: 10_000 });
  expect(readSettings({}).secret).toBeUndefined();
});

test('set to nothing is not set', () => {
  expect(readSettings({ BLOCKWORK_PORT: '', BLOCKWORK_JWT_SECRET: '' })).toMatchObject({
    port: 3000,
    secret: undefined,
  });
});

test('demo identities need a secret of this program, and an address that only this machine has', () => {
  for (const BLOCKWORK_HOST of ['', '127.0.0.1', '127.8.8.8', '::1', 'localhost']) {
    expect(isDemo(readSettings({ BLOCKWORK_HOST })), BLOCKWORK_HOST).toBe(true);
    const BLOCKWORK_JWT_SECRET = 'x'.repeat(32);
    expect(isDemo(readSettings({ BLOCKWORK_HOST, BLOCKWORK_JWT_SECRET })), BLOCKWORK_HOST).toBe(false);
  }
  for (const BLOCKWORK_HOST of ['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example.org', '128.0.0.1', 'example.org']) {
    expect(isDemo(readSettings({ BLOCKWORK_HOST })), BLOCKWORK_HOST).toBe(false);
  }
});

test('limits are those of the server unless they are set', () => {
  expect(readSettings({}).limits).toEqual({ callerRates: {} });
  const { limits } = readSettings({
    BLOCKWORK_CONNECTIONS: '500',
    BLOCKWORK_SENDS_PER_POLICY: '20',
    BLOCKWORK_CALLER_REQUESTS: '50',
    BLOCKWORK_CALLER_BYTES: '1000000',
  });
  expect(limits).toEqual({
    connections: 500,
    sendsPerPolicy: 20,
    callerRates: { requests: 50, bytes: 1_000_000 },
  });
});

describe('an identity provider', () => {
  const provider = {
    BLOCKWORK_JWKS: 'https://idp.example.org/jwks',
    BLOCKWORK_JWT_ISSUER: 'https://idp.example.org',
    BLOCKWORK_JWT_AUDIENCE: 'https://policies.example.org',
  };

  test('is its keys, issuer and audience, and what its claims mean', () => {
    const settings = readSettings({
      ...provider,
      BLOCKWORK_SUBJECT: 'did:web:example.org:users:{sub}',
      BLOCKWORK_ROLE_CLAIM: '/realm_access/roles',
      BLOCKWORK_ROLES: 'registry=admins=STANDARD_REGISTRY, members=USER,*=AUDITOR',
    });
    expect(settings.secret).toBeUndefined();
    expect(isDemo(settings)).toBe(false);
    expect(settings.rules).toEqual({
      issuer: provider.BLOCKWORK_JWT_ISSUER,
      audience: provider.BLOCKWORK_JWT_AUDIENCE,
      keySet: { url: provider.BLOCKWORK_JWKS },
      subject: 'did:web:example.org:users:{sub}',
      roles: {
        claim: '/realm_access/roles',
        values: [
          { value: 'registry=admins', role: 'STANDARD_REGISTRY' },
          { value: 'members', role: 'USER' },
        ],
        otherwise: 'AUDITOR',
      },
    });
  });

  test('may have its keys in a file', () => {
    expect(readSettings({ ...provider, BLOCKWORK_JWKS: 'keys/jwks.json' }).rules.keySet).toEqual({
      url: `file://${process.cwd()}/keys/jwks.json`,
    });
    expect(readSettings({ ...provider, BLOCKWORK_JWKS: '/etc/jwks.json' }).rules.keySet).toEqual({
      url: 'file:///etc/jwks.json',
    });
  });

  test('is where people sign in to the console, if the console is a client of it', () => {
    expect(readSettings(provider).provider).toBeUndefined();
    const client = { ...provider, BLOCKWORK_CONSOLE_CLIENT: 'console' };
    expect(readSettings(client).provider).toEqual({ issuer: 'https://idp.example.org', clientId: 'console' });
    const resource = 'https://policies.example.org';
    const more = { BLOCKWORK_CONSOLE_SCOPES: 'openid, email', BLOCKWORK_CONSOLE_RESOURCE: resource };
    expect(readSettings({ ...client, ...more }).provider).toMatchObject({ scopes: ['openid', 'email'], resource });
  });

  test.each<[string, Record<string, string>]>([
    ['BLOCKWORK_CONSOLE_CLIENT', { BLOCKWORK_JWKS: '', BLOCKWORK_CONSOLE_CLIENT: 'console' }],
    ['BLOCKWORK_CONSOLE_SCOPES', { BLOCKWORK_CONSOLE_SCOPES: 'openid' }],
    ['BLOCKWORK_CONSOLE_SCOPES', { BLOCKWORK_CONSOLE_CLIENT: 'console', BLOCKWORK_CONSOLE_SCOPES: 'profile' }],
    ['BLOCKWORK_CONSOLE_RESOURCE', { BLOCKWORK_CONSOLE_CLIENT: 'console', BLOCKWORK_CONSOLE_RESOURCE: 'policies' }],
    ['BLOCKWORK_JWT_ISSUER', { BLOCKWORK_CONSOLE_CLIENT: 'console', BLOCKWORK_JWT_ISSUER: 'http://idp.example.org' }],
    ['BLOCKWORK_JWKS', { BLOCKWORK_JWKS: 'http://idp.example.org/jwks' }],
    ['BLOCKWORK_JWT_SECRET', { BLOCKWORK_JWT_SECRET: 'x'.repeat(32) }],
    ['BLOCKWORK_JWT_ISSUER', { BLOCKWORK_JWT_ISSUER: '' }],
    ['BLOCKWORK_JWT_AUDIENCE', { BLOCKWORK_JWT_AUDIENCE: '' }],
    ['BLOCKWORK_SUBJECT', { BLOCKWORK_SUBJECT: 'https://example.org/{sub}' }],
    ['BLOCKWORK_SUBJECT', { BLOCKWORK_SUBJECT: 'did:web:example.org' }],
    ['BLOCKWORK_ROLES', { BLOCKWORK_ROLE_CLAIM: 'roles', BLOCKWORK_ROLES: 'members' }],
    ['BLOCKWORK_ROLE_CLAIM', { BLOCKWORK_ROLES: 'members=USER' }],
    ['BLOCKWORK_SUBJECT', { BLOCKWORK_JWKS: '', BLOCKWORK_SUBJECT: 'did:web:example.org:{sub}' }],
  ])('%s is named where %j does not fit', (variable, set) => {
    expect(() => readSettings({ ...provider, ...set })).toThrow(new RegExp(`^${variable} `, 'm'));
  });
});

test('folders are made absolute', () => {
  expect(readSettings({ BLOCKWORK_DATA: 'somewhere' }).data).toBe(`${process.cwd()}/somewhere`);
});

describe('refused, with the name of the variable', () => {
  test.each([
    ['BLOCKWORK_METRICS_PORT', '65536'],
    ['BLOCKWORK_METRICS_TOKEN', 'too-short'],
    ['BLOCKWORK_METRICS_TOKEN', 'a token with spaces in it'],
    ['BLOCKWORK_PORT', '65536'],
    ['BLOCKWORK_PORT', '-1'],
    ['BLOCKWORK_PORT', '80a'],
    ['BLOCKWORK_JWT_SECRET', 'x'.repeat(31)],
    ['BLOCKWORK_OWNER', 'registry'],
    ['BLOCKWORK_OWNER', `did:example:${'x'.repeat(500)}`],
    ['BLOCKWORK_LOG', 'verbose'],
    ['BLOCKWORK_HTTP_ALLOW', 'https://api.example.org, api.example.org'],
    ['BLOCKWORK_HTTP_ALLOW', 'ftp://api.example.org'],
    ['BLOCKWORK_HTTP_ALLOW', 'https://me:hunter2@api.example.org'],
    ['BLOCKWORK_WEBHOOK_ALLOW', 'hooks.example.org'],
    ['BLOCKWORK_WEBHOOK_ALLOW', 'https://hooks.example.org/in?key=1'],
    ['BLOCKWORK_LOG_FORMAT', 'xml'],
    ['BLOCKWORK_DRAIN_MS', '-1'],
    ['BLOCKWORK_DRAIN_MS', '5s'],
    ['BLOCKWORK_JOURNAL_ENTRIES', '0'],
    ['BLOCKWORK_CONNECTIONS', '0'],
    ['BLOCKWORK_CALLER_REQUESTS', '1.5'],
    ['BLOCKWORK_CALLER_BYTES', '-1'],
    ['BLOCKWORK_SENDS_PER_POLICY', 'many'],
    ['BLOCKWORK_KEY_SEED', 'too short'],
    ['BLOCKWORK_DATABASE_URL', 'mysql://somewhere'],
    ['BLOCKWORK_NODE', 'x'.repeat(201)],
    ['BLOCKWORK_NODE', '   '],
    ['BLOCKWORK_DATA', ' '],
    ['BLOCKWORK_JWT_ISSUER', '\t'],
    ['BLOCKWORK_NATS_URL', '  '],
  ])('%s=%s', (variable, value) => {
    expect(() => readSettings({ [variable]: value })).toThrow(variable);
  });
});

describe('a name that resembles a setting', () => {
  test.each([
    ['BLOCKWORK_DATABSE_URL', 'BLOCKWORK_DATABASE_URL'],
    ['BLOCKWORK_NATS_URLS', 'BLOCKWORK_NATS_URL'],
    ['BLOCKWORK_DATABASE_SHEMA', 'BLOCKWORK_DATABASE_SCHEMA'],
    ['BLOCKWORK_PEER', 'BLOCKWORK_PEERS'],
    ['BLOCKWORK_JWT_SECRETS', 'BLOCKWORK_JWT_SECRET'],
  ])('%s is refused, since %s may be meant', (name, meant) => {
    expect(() => readSettings({ [name]: 'x' })).toThrow(
      expect.objectContaining({
        message: `${name} is no setting, and would be ignored. Did you mean ${meant}?`,
        exitCode: 2,
      }),
    );
  });

  test('is ignored if it is empty, and so are names that resemble none', () => {
    const others = {
      BLOCKWORK_DATABSE_URL: '',
      BLOCKWORK_SECRET_S: 'a secret',
      BLOCKWORK_TOKEN: 'x',
      BLOCKWORK_SOAK: '1',
    };
    expect(readSettings(others)).toEqual(readSettings({}));
  });

  test('is reported with all others', () => {
    expect(() => readSettings({ BLOCKWORK_PROT: '1', BLOCKWORK_HOTS: 'x' })).toThrow(/PROT[^]*\n[^]*HOTS/);
  });
});

test('a value of only spaces is reported in one line', () => {
  const blank = { BLOCKWORK_NATS_URL: ' ', BLOCKWORK_DATABASE_URL: 'postgres://db.example/registry' };
  const line = 'BLOCKWORK_NATS_URL contains only spaces. Give it a value, or unset it.';
  expect(() => readSettings(blank)).toThrow(expect.objectContaining({ message: line }));
  const linked = { BLOCKWORK_NATS_URL: 'nats://broker.example', BLOCKWORK_INSTANCE: '   ' };
  expect(() => readSettings(linked)).toThrow(/^BLOCKWORK_INSTANCE contains only spaces\./);
});

describe('with a database', () => {
  const BLOCKWORK_DATABASE_URL = 'postgres://me:secret@db.example/registry';

  test('it has its settings, and nothing is kept in files', () => {
    expect(readSettings({}).database).toBeUndefined();
    expect(readSettings({ BLOCKWORK_DATABASE_URL })).toMatchObject({
      database: { address: BLOCKWORK_DATABASE_URL, schema: undefined, migrate: true },
      policies: undefined,
    });
    const { database, policies, node } = readSettings({
      BLOCKWORK_DATABASE_URL,
      BLOCKWORK_DATABASE_SCHEMA: 'mine',
      BLOCKWORK_DATABASE_CONNECTIONS: '4',
      BLOCKWORK_DATABASE_STATEMENT_MS: '1000',
      BLOCKWORK_DATABASE_CA: '/etc/ca.pem',
      BLOCKWORK_DATABASE_MIGRATE: 'false',
      BLOCKWORK_POLICIES: '/policies',
      BLOCKWORK_NODE: 'north-1',
    });
    expect(database).toMatchObject({ schema: 'mine', readConnections: 4, statementMs: 1000, ca: '/etc/ca.pem' });
    expect(database?.migrate).toBe(false);
    expect({ policies, node }).toEqual({ policies: '/policies', node: 'north-1' });
  });

  test.each([
    ['BLOCKWORK_DATABASE_CONNECTIONS', '0'],
    ['BLOCKWORK_DATABASE_CONNECTIONS', '1001'],
    ['BLOCKWORK_DATABASE_STATEMENT_MS', '1s'],
    ['BLOCKWORK_DATABASE_MIGRATE', 'no'],
  ])('refused, with the name of the variable: %s=%s', (variable, value) => {
    expect(() => readSettings({ BLOCKWORK_DATABASE_URL, [variable]: value })).toThrow(variable);
  });

  test('its other settings are refused without it', () => {
    const set = { BLOCKWORK_DATABASE_SCHEMA: 'mine', BLOCKWORK_DATABASE_MIGRATE: 'false' };
    expect(() => readSettings(set)).toThrow(/^BLOCKWORK_DATABASE_SCHEMA [^]*\nBLOCKWORK_DATABASE_MIGRATE /);
    expect(readSettings({ BLOCKWORK_DATABASE_SCHEMA: '', BLOCKWORK_NODE: 'north-1' }).node).toBe('north-1');
  });

  test('a wrong address is not quoted', () => {
    const wrong = (): unknown => readSettings({ BLOCKWORK_DATABASE_URL: 'http://me:hunter2@db' });
    expect(wrong).toThrow('BLOCKWORK_DATABASE_URL must be written postgres://');
    expect(wrong).not.toThrow('hunter2');
  });
});

test('all that is wrong is told at once', () => {
  expect(() => readSettings({ BLOCKWORK_PORT: 'x', BLOCKWORK_LOG: 'x' })).toThrow(/BLOCKWORK_PORT[^]*BLOCKWORK_LOG/);
});

test('serves no metrics unless it is told where, or for which token', () => {
  expect(readSettings({})).toMatchObject({ metrics: undefined, metricsToken: undefined });
  expect(readSettings({ BLOCKWORK_METRICS_HOST: '0.0.0.0' })).toMatchObject({ metrics: undefined });
  expect(readSettings({ BLOCKWORK_METRICS_PORT: '9464' })).toMatchObject({
    metrics: { host: '127.0.0.1', port: 9464 },
  });
  const token = 'a-token-for-the-metrics';
  expect(readSettings({ BLOCKWORK_METRICS_TOKEN: token })).toMatchObject({ metrics: undefined, metricsToken: token });
});
