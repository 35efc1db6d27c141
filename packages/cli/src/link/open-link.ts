/** Opens the link to other instances according to the settings. The NATS client is loaded only here, when needed. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineOptions, Logger } from '@blockwork/core';
import type { NatsLinkOptions } from '@blockwork/link-nats';
import type { Authenticator } from '@nats-io/transport-node';
import { storedSecret } from '../serve/stored-secret.js';
import { startupError } from '../serve/startup-error.js';
import type { Settings } from '../serve/settings.js';
import type { LinkSettings, NatsFiles } from './link-settings.js';
import { readPeers } from './peers-file.js';

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
async function instanceKey({ instanceKey: given }: LinkSettings, place: InstanceKeyPlace): Promise<KeyObject> {
  if (given === undefined && place.database !== undefined) {
    throw startupError(
      'BLOCKWORK_INSTANCE_KEY is not set. All nodes of a database need the same one: 32 bytes in base64, for example from ' +
        '"openssl rand -base64 32". A server that ran on files has it in the file instance-key of its data folder.',
    );
  }
  const seed = Buffer.from(given ?? (await storedSecret(place.data, 'instance-key')), 'base64url');
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
