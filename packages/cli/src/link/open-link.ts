/** Opens the link to other instances according to the settings. The NATS client is loaded only here, when needed. */
import type { EngineOptions, Logger, Peer } from '@blockwork/core';
import type { NatsLinkOptions } from '@blockwork/link-nats';
import type { Authenticator } from '@nats-io/transport-node';
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { jsonIn } from '../serve/json-file.js';
import type { Settings } from '../serve/settings.js';
import { startupError } from '../serve/startup-error.js';
import { storedSecret } from '../serve/stored-secret.js';
import type { LinkSettings, NatsFiles } from './link-settings.js';

export interface OpenedLink {
  /** For the engine, which closes the link. */
  readonly options: Pick<EngineOptions, 'link' | 'instance' | 'peers' | 'streams'>;
  /** For the operator: the identity of this instance and the entry for its peers' files. */
  readonly line: string;
}

/** Resolves even if no server responds: the link then connects later. Rejects with `CommandError` for an invalid setting or file. */
export async function openLink(settings: LinkSettings, place: InstanceKeyPlace, logger: Logger): Promise<OpenedLink> {
  const { instance: id, servers, stream, newStream } = settings;
  const key = await instanceKey(settings, place);
  const { peers, streams } =
    settings.peers === undefined ? { peers: [], streams: {} } : await readPeers(settings.peers);
  const connection = await connectionOf(settings);
  const { openNatsLink } = await import('@blockwork/link-nats');
  const link = await openNatsLink({
    servers,
    connection,
    logger,
    ...(stream !== undefined && { stream }),
    ...newStream,
  });
  const { kty, crv, x } = createPublicKey(key).export({ format: 'jwk' });
  const entry = JSON.stringify({ id, key: { kty, crv, x } });
  const names = peers.length === 0 ? 'no peer: BLOCKWORK_PEERS is not set' : peers.map((peer) => peer.id).join(', ');
  return {
    options: { link, instance: { id, key }, peers, streams },
    line: `Instance "${id}" on NATS, trusts ${names}. Its peers trust it as ${entry}`,
  };
}

type InstanceKeyPlace = Pick<Settings, 'data' | 'database'>;

/** The configured key, or the one in the data folder. */
async function instanceKey({ instanceKey: path }: LinkSettings, place: InstanceKeyPlace): Promise<KeyObject> {
  if (path === undefined && place.database !== undefined) {
    throw startupError(
      'BLOCKWORK_INSTANCE_KEY is not set. All nodes of a database need the same one: 32 bytes in base64, for example from ' +
        '"openssl rand -base64 32". A server that ran on files has it in the file instance-key of its data folder.',
    );
  }
  const seed = Buffer.from(path ?? (await storedSecret(place.data, 'instance-key')), 'base64url');
  if (seed.length !== 32) {
    throw startupError(
      `The key in ${join(place.data, 'instance-key')} is invalid: it must be 32 bytes in base64url. Restore it from a ` +
        'backup; if the file is deleted, a new key is generated, which peers must then be given.',
    );
  }
  return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

/** The PKCS #8 prefix of an Ed25519 seed (RFC 8410). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

async function connectionOf(settings: LinkSettings): Promise<NonNullable<NatsLinkOptions['connection']>> {
  const { login, encrypts, instance, files } = settings;
  const [credentials, ca, cert, key] = await Promise.all([
    contentOf(files, 'credentials'),
    contentOf(files, 'ca'),
    contentOf(files, 'certificate'),
    contentOf(files, 'key'),
  ]);
  if ((cert === undefined) !== (key === undefined))
    throw startupError('BLOCKWORK_NATS_CERTIFICATE and BLOCKWORK_NATS_KEY belong together: set both or neither.');
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
  return {
    name: instance,
    ...login,
    ...(credentials !== undefined && { authenticator: await loginWith(credentials) }),
    ...((encrypts || Object.keys(tls).length > 0) && { tls }),
  };
}

/** Signs the server's challenge with the key in the credentials. */
async function loginWith(credentials: string): Promise<Authenticator> {
  const { credsAuthenticator } = await import('@nats-io/transport-node');
  return credsAuthenticator(Buffer.from(credentials));
}

const variableOf: Readonly<Record<keyof NatsFiles, string>> = {
  credentials: 'BLOCKWORK_NATS_CREDENTIALS',
  ca: 'BLOCKWORK_NATS_CA',
  certificate: 'BLOCKWORK_NATS_CERTIFICATE',
  key: 'BLOCKWORK_NATS_KEY',
};

async function contentOf(files: NatsFiles, name: keyof NatsFiles): Promise<string | undefined> {
  const path = files[name];
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw startupError(`${variableOf[name]} names ${path}, which cannot be read (${code}).`);
  }
}

interface Peers {
  readonly peers: readonly Peer[];
  readonly streams: NonNullable<EngineOptions['streams']>;
}

const instanceName = z.string().min(1).max(200);

/** Private keys, which have a member `d`, are refused: they must not leave their instance. */
const publicKey = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url'),
});

const content = z.strictObject({
  peers: z.array(
    z.strictObject({
      id: instanceName,
      key: publicKey,
      identities: z.array(z.string().min(1)).min(1, 'must name identities, such as "did:web:south.example:*"'),
    }),
  ),
  streams: z.record(z.string().regex(/^[\w.-]{1,100}$/), z.array(instanceName)).default({}),
});

/** Rejects with a `CommandError` that locates the error in the file. */
export async function readPeers(file: string): Promise<Peers> {
  const read = content.safeParse(await jsonOf(file));
  if (!read.success) {
    const places = read.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`);
    throw startupError(`The peers in ${file} are invalid: ${places.join('; ')}.`);
  }
  const { peers, streams } = read.data;
  const peerIds = new Set(peers.map(({ id }) => id));
  if (peerIds.size < peers.length) throw startupError(`The peers in ${file} are invalid: two have the same id.`);
  for (const [stream, names] of Object.entries(streams)) {
    const stranger = names.find((name) => !peerIds.has(name));
    if (stranger !== undefined)
      throw startupError(
        `The peers in ${file} are invalid: /streams/${stream} names "${stranger}", which is not a peer.`,
      );
  }
  return { peers, streams };
}

async function jsonOf(file: string): Promise<unknown> {
  try {
    return await jsonIn(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error;
    throw startupError(`BLOCKWORK_PEERS names ${file}, which cannot be read (${code}).`);
  }
}
