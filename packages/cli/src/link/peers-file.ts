/** The file of an instance's peers and the event streams it shares with them. */
import type { EngineOptions, Peer } from '@blockwork/core';
import { z } from 'zod';
import { jsonIn } from '../serve/json-file.js';
import { startupError } from '../serve/startup-error.js';

export interface Peers {
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
  const known = new Set(peers.map(({ id }) => id));
  if (known.size < peers.length) throw startupError(`The peers in ${file} are invalid: two have the same id.`);
  for (const [stream, names] of Object.entries(streams)) {
    const stranger = names.find((name) => !known.has(name));
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
