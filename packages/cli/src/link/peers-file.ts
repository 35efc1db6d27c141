/** The file that names the peers of an instance, and the streams of events that it shares with them. */
import type { EngineOptions, Peer } from '@blockwork/core';
import { z } from 'zod';
import { jsonIn } from '../serve/json-file.js';
import { startupError } from '../serve/startup-error.js';

export interface Peers {
  readonly peers: readonly Peer[];
  readonly streams: NonNullable<EngineOptions['streams']>;
}

const instanceName = z.string().min(1).max(200);

/** A private key, which has a member `d`, is refused: it belongs nowhere but with its instance. */
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

/** Rejects with `CommandError` that says where the file is wrong. */
export async function readPeers(file: string): Promise<Peers> {
  const read = content.safeParse(await jsonOf(file));
  if (!read.success) {
    const places = read.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`);
    throw startupError(`The peers in ${file} cannot be used: ${places.join('; ')}.`);
  }
  const { peers, streams } = read.data;
  const known = new Set(peers.map(({ id }) => id));
  if (known.size < peers.length) throw startupError(`The peers in ${file} cannot be used: two have the same id.`);
  for (const [stream, names] of Object.entries(streams)) {
    const stranger = names.find((name) => !known.has(name));
    if (stranger !== undefined)
      throw startupError(
        `The peers in ${file} cannot be used: /streams/${stream} names "${stranger}", which is no peer.`,
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
