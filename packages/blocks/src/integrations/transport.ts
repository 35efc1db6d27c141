/** One HTTP exchange, limited in time and size, that rejects host names resolving to private addresses. */
import type { IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { isAddress, isPrivate } from './private-address.js';

export interface HttpExchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** The `Location` header, unresolved. */
  readonly location: string | null;
  /** The `Retry-After` header. */
  readonly retryAfter: string | null;
  readonly body: string;
}

export interface TransportLimits {
  readonly signal: AbortSignal;
  /** Maximum size of the response body. */
  readonly maxBytes: number;
  /** Whether the host may resolve to an address in a private network. */
  readonly mayBePrivate: boolean;
}

/** Rejects with an `Error` whose message is part of a sentence for users. Does not follow redirections. */
export type Transport = (exchange: HttpExchange, limits: TransportLimits) => Promise<HttpAnswer>;

/** Node's own client, loaded lazily: it is a tenth of what a program loads that only reads a policy. */
export const nodeTransport: Transport = async ({ url, method, headers, body }, { signal, maxBytes, mayBePrivate }) => {
  if (!mayBePrivate && isAddress(url.hostname) && isPrivate(url.hostname))
    throw new Error(privateAddressMessage(url.hostname));
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const options: RequestOptions = { method, headers, signal };
  if (!mayBePrivate) options.lookup = await publicLookup();
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      textOf(response, maxBytes).then((text) => {
        resolve({
          status,
          location: received.location ?? null,
          retryAfter: received['retry-after'] ?? null,
          body: text,
        });
      }, reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
};

/** With the program's `fetch`, which resolves names itself. */
export const fetchTransport =
  (fetch: typeof globalThis.fetch): Transport =>
  async ({ url, method, headers, body }, { signal, maxBytes }) => {
    const init = { method, headers, signal, redirect: 'manual' as const, ...(body === undefined ? {} : { body }) };
    const response = await fetch(url, init);
    const text = response.body === null ? '' : await textOf(response.body, maxBytes);
    const { status, headers: received } = response;
    return { status, location: received.get('location'), retryAfter: received.get('retry-after'), body: text };
  };

async function textOf(body: IncomingMessage | AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > maxBytes) throw new Error(`the answer is larger than ${String(maxBytes)} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Resolves names for the connection itself, so that the checked address is the one connected to. */
async function publicLookup(): Promise<LookupFunction> {
  const { lookup } = await import('node:dns');
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '', 0);
        return;
      }
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => isPrivate(address))) {
        callback(new Error(privateAddressMessage(hostname)), '', 0);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

const privateAddressMessage = (host: string): string => `${host} resolves to a private address, which is not allowed`;
