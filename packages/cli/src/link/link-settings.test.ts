/** The settings of the link: what they mean, and messages that name the variable and quote no password. */
import { expect, test } from 'vitest';
import { readSettings } from '../serve/settings.js';

const north = { BLOCKWORK_NATS_URL: 'nats://nats.example', BLOCKWORK_INSTANCE: 'north' };

test('without an address there is no link, and nothing else of it may be set', () => {
  expect(readSettings({}).link).toBeUndefined();
  expect(readSettings({ BLOCKWORK_PEERS: '', BLOCKWORK_INSTANCE: '' }).link).toBeUndefined();
  const read = (): unknown =>
    readSettings({ BLOCKWORK_PEERS: '/run/peers-secret.json', BLOCKWORK_NATS_CA: '', BLOCKWORK_NATS_REPLICAS: 'x' });
  expect(read).toThrow(/^BLOCKWORK_PEERS needs BLOCKWORK_NATS_URL.*not set\.\nBLOCKWORK_NATS_REPLICAS needs [^\n]*$/);
  expect(read).not.toThrow('peers-secret');
});

test('an address and a name are enough', () => {
  expect(readSettings(north).link).toEqual({
    instance: 'north',
    instanceKey: undefined,
    peers: undefined,
    servers: ['nats.example:4222'],
    login: null,
    encrypts: false,
    files: { credentials: undefined, ca: undefined, certificate: undefined, key: undefined },
    stream: undefined,
    newStream: {},
  });
});

test('the servers of a cluster, a login, and what a new stream keeps', () => {
  const { link } = readSettings({
    ...north,
    BLOCKWORK_NATS_URL: 'tls://me:p%40ss@a.example, tls://me:p%40ss@b.example:4333',
    BLOCKWORK_NATS_STREAM: 'policies',
    BLOCKWORK_NATS_REPLICAS: '3',
    BLOCKWORK_NATS_KEEP_DAYS: '60',
    BLOCKWORK_NATS_KEEP_BYTES: '0',
  });
  expect(link).toMatchObject({
    servers: ['a.example:4222', 'b.example:4333'],
    login: { user: 'me', pass: 'p@ss' },
    encrypts: true,
    stream: 'policies',
    newStream: { replicas: 3, keepMs: 60 * 86_400_000, keepBytes: 0 },
  });
});

test('a name without a password is a token', () => {
  expect(readSettings({ ...north, BLOCKWORK_NATS_URL: 'nats://s3cret@[::1]:4222' }).link).toMatchObject({
    servers: ['[::1]:4222'],
    login: { token: 's3cret' },
  });
});

test.each([
  ['BLOCKWORK_INSTANCE', ''],
  ['BLOCKWORK_INSTANCE', 'x'.repeat(201)],
  ['BLOCKWORK_INSTANCE_KEY', 'too short'],
  ['BLOCKWORK_NATS_URL', 'http://me:hunter2@nats.example'],
  ['BLOCKWORK_NATS_URL', 'nats://me:hunter2@nats.example/stream'],
  ['BLOCKWORK_NATS_URL', 'nats://me:hunter2@a.example,nats://b.example'],
  ['BLOCKWORK_NATS_URL', ','],
  ['BLOCKWORK_NATS_STREAM', 'my stream'],
  ['BLOCKWORK_NATS_REPLICAS', '6'],
  ['BLOCKWORK_NATS_KEEP_DAYS', '-1'],
  ['BLOCKWORK_NATS_KEEP_BYTES', '1 GB'],
])('%s=%s is refused by the name of the variable, and not quoted', (variable, value) => {
  const read = (): unknown => readSettings({ ...north, [variable]: value });
  expect(read).toThrow(new RegExp(`^${variable} must`));
  expect(read).not.toThrow('hunter2');
});
