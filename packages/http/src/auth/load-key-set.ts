/** Loads a JWK Set (RFC 7517) from an address or a file, within limits of size and time. */
import { invalidOption } from '@blockwork/core/adapter';
import { parse } from 'secure-json-parse';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { usableKeysOfSet } from './jwk-set.js';
import { isLoopbackName } from './loopback.js';
import type { VerificationKey } from './verification-key.js';

export interface KeySetLimits {
  /** Maximum size in bytes. */
  readonly bytes: number;
  /** Timeout in ms. */
  readonly timeoutMs: number;
}

/** Rejects with an `Error` whose message is for the log. */
export type LoadKeySet = () => Promise<readonly VerificationKey[]>;

const keySet = z.looseObject({ keys: z.array(z.looseObject({})).max(100, 'holds more than 100 keys') });

/** `url` begins with `https:`, with `http:` and a loopback address, or with `file:`. Throws `OPTION_INVALID`. */
export function keySetLoader(url: string, limits: KeySetLimits): LoadKeySet {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || !isTrustworthy(address)) {
    throw invalidOption('auth.keySet.url', 'it must begin with https:, file:, or http: and a loopback address');
  }
  if (address.username !== '' || address.password !== '') {
    throw invalidOption('auth.keySet.url', 'it must not hold a name or a password');
  }
  const read = address.protocol === 'file:' ? readFile : fetchBytes;
  return async () => {
    const bytes = await read(address, limits);
    const content = keySet.parse(parse(bytes.toString('utf8')));
    const keys = usableKeysOfSet(content.keys);
    if (keys.length === 0) throw new Error('It has no key for RS256 or ES256.');
    return keys;
  };
}

/** Plain HTTP can be tampered with in transit. */
const isTrustworthy = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || protocol === 'file:' || (protocol === 'http:' && isLoopbackName(hostname));

/** Redirects are refused: they could lead away from https, or into the network of the server. */
async function fetchBytes(url: URL, { bytes, timeoutMs }: KeySetLimits): Promise<Buffer> {
  const response = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`The answer has the status ${response.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > bytes) throw new Error(`It is larger than ${bytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readFile(url: URL, { bytes }: KeySetLimits): Promise<Buffer> {
  const file = await open(url);
  try {
    const { size } = await file.stat();
    if (size > bytes) throw new Error(`It is larger than ${bytes} bytes.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
