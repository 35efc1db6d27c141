/** Sends requests with the token, and retries them if that is safe and may help. */
import type { RouteName } from '@blockwork/contract';
import { BlockworkApiError, errorOf, notSent } from './api-error.js';
import { isIdempotent, outsidePrefix, routes, takesIdempotencyKey } from './routes.js';
import type { UntypedArgs } from './types.js';

export interface ClientOptions {
  /** The server's base URL, for example `https://registry.example`; in a browser also relative, `''` for the server of the page. */
  readonly url: string;
  /** The bearer token, or a function that provides one per request. */
  readonly token?: string | (() => string | Promise<string>);
  /**
   * The DID of a user of a policy's trial: requests about that policy, whose owner the token must identify, are sent on behalf of
   * that user. Other requests are refused.
   */
  readonly actAs?: string;
  /** Path prefix of every route; default `/api/v1`. */
  readonly prefix?: string;
  /** Sends a request; the global `fetch` by default. A handler of `@blockwork/http-fetch` serves the client in memory. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Maximum number of retries of a safe call after no answer, 429, 502, 503 or 504; default 2. */
  readonly retries?: number;
}

/** Initial delay in ms of the exponential backoff. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;
/** Transient statuses. */
const transient: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);

export const isTransient = (error: unknown): error is BlockworkApiError =>
  error instanceof BlockworkApiError && error.error !== 'INPUT_INVALID' && transient.has(error.status);

/** A response received completely. */
export interface WholeAnswer {
  readonly response: Response;
  readonly body: ArrayBuffer;
}

export class Transport {
  readonly #options: ClientOptions;

  /** Throws `INPUT_INVALID` for what can serve no call. */
  constructor(options: ClientOptions) {
    const { url, retries = 0 } = options;
    // Also relative, for pages of the server itself; a name and a port alone would be taken for a scheme.
    if (typeof url !== 'string' || !/^(https?:\/\/[^/]|\/|$)/i.test(url)) {
      throw notSent('The option url of createClient must be an address such as "https://registry.example".');
    }
    // No request can be made with them, and errors show the address.
    if (/^https?:\/\/[^/?#]*@/i.test(url)) {
      throw notSent('The option url of createClient must not contain a user or a password; use the option token.');
    }
    if (!Number.isInteger(retries) || retries < 0) {
      throw notSent('The option retries of createClient must be a whole number, 0 or more.');
    }
    this.#options = options;
  }

  /** Resolves with a complete 2xx response. */
  async call(name: RouteName, callArgs: UntypedArgs): Promise<WholeAnswer> {
    const args = takesIdempotencyKey.has(name) ? { idempotencyKey: newIdempotencyKey(), ...callArgs } : callArgs;
    const retriesLeft = isIdempotent(name) || args.idempotencyKey !== undefined ? (this.#options.retries ?? 2) : 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const response = await this.once(name, args);
        return { response, body: await this.#whole(response, args.signal) };
      } catch (error) {
        if (attempt >= retriesLeft || !isTransient(error)) throw error;
        await backOff(attempt, error.retryAfter, args.signal);
      }
    }
  }

  /** Sends one request as it is. */
  async send(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const { url, actAs, fetch = (request: Request) => globalThis.fetch(request) } = this.#options;
    const request = requestOf(url.replace(/\/+$/, '') + path, { ...init, signal: signal ?? null });
    const token = await this.#token();
    if (token !== undefined) setHeader(request.headers, 'Authorization', `Bearer ${token}`);
    if (actAs !== undefined) setHeader(request.headers, 'Act-As', actAs);
    return orNoAnswer(fetch(request), `${url} did not answer.`, signal);
  }

  /** The path of a route with its parameters and its query. */
  pathOf(name: RouteName, args: UntypedArgs): string {
    const [, template = ''] = routes[name].split(' ');
    const params = args as unknown as Readonly<Record<string, string>>;
    const path = template.replace(/\{(\w+)\}/g, (_, param: string) => {
      const value = params[param] ?? '';
      if (!isPart(value)) {
        throw notSent(`The parameter ${param} of ${name} must be a text, and not "", "." or "..".`);
      }
      return encodeURIComponent(value);
    });
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(args.query ?? {})) {
      if (typeof value === 'object') for (const each of value) query.append(key, each);
      else if (value !== undefined) query.set(key, String(value));
    }
    const prefix = outsidePrefix.has(name) ? '' : (this.#options.prefix ?? '/api/v1');
    return prefix + path + (query.size === 0 ? '' : `?${query.toString()}`);
  }

  /** Sends one request of a route. Rejects unless the response is 2xx. */
  async once(name: RouteName, args: UntypedArgs): Promise<Response> {
    const [method = 'GET'] = routes[name].split(' ');
    const headers = headersOf(args);
    const body = args.body === undefined ? undefined : bodyOf(args.body, headers);
    const init = body === undefined ? { method, headers } : { method, headers, body };
    const response = await this.send(this.pathOf(name, args), init, args.signal);
    if (response.ok) return response;
    throw errorOf(response, textOf(await this.#whole(response, args.signal)));
  }

  #whole(response: Response, signal: AbortSignal | undefined): Promise<ArrayBuffer> {
    return orNoAnswer(response.arrayBuffer(), `The answer of ${this.#options.url} broke off.`, signal);
  }

  async #token(): Promise<string | undefined> {
    const { token } = this.#options;
    return typeof token === 'function' ? token() : token;
  }
}

/**
 * A new idempotency key of 128 random bits, for a send that may have to be repeated by another call.
 *
 * @example
 * const idempotencyKey = newIdempotencyKey();
 * await client.policy(policyId).block('form').send({ value: 3 }, { idempotencyKey });
 */
// `randomUUID` does not exist on pages without TLS.
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

function headersOf({ requestId, idempotencyKey, ifMatch }: UntypedArgs): Headers {
  const headers = new Headers();
  if (requestId !== undefined) setHeader(headers, 'X-Request-Id', requestId);
  if (idempotencyKey !== undefined) setHeader(headers, 'Idempotency-Key', idempotencyKey);
  if (ifMatch !== undefined) setHeader(headers, 'If-Match', `"${String(ifMatch)}"`);
  return headers;
}

/** The error of the platform would show the value, which may be a token. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw notSent(`The header ${name} was given characters that no header can hold.`);
  }
}

function bodyOf(body: unknown, headers: Headers): NonNullable<RequestInit['body']> {
  const isFile = body instanceof Uint8Array;
  headers.set('Content-Type', isFile ? 'application/zip' : 'application/json');
  if (isFile) return body as NonNullable<RequestInit['body']>;
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw notSent(`The body is not JSON: ${(cause as Error).message}`, cause);
  }
}

function requestOf(address: string, init: RequestInit): Request {
  try {
    return new Request(address, init);
  } catch (cause) {
    throw notSent(`The request cannot be made: ${(cause as Error).message}`, cause);
  }
}

/** Addresses are normalized, so that an empty part or dots would lead to another route. */
const isPart = (text: string): boolean => !/^\.{0,2}$|\p{Surrogate}/u.test(text);

export const textOf = (body: ArrayBuffer): string => new TextDecoder().decode(body);

/** Rejects with `NO_ANSWER` if the server fails to answer, and with the reason of the signal if it is aborted. */
async function orNoAnswer<T>(pending: Promise<T>, message: string, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await unlessAborted(pending, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new BlockworkApiError(0, { error: 'NO_ANSWER', message }, cause);
  }
}

/** An in-memory handler cannot see that the caller has stopped waiting. */
export async function unlessAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return result;
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  return Promise.race([result, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/**
 * Waits before a retry, for as long as the server asks for, else exponentially longer after each of the earlier
 * `failures`. Rejects with the reason of the signal if it is aborted before.
 */
export async function backOff(
  failures: number,
  retryAfter: number | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const milliseconds = retryAfter ?? FIRST_PAUSE_MS * 2 ** failures;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_PAUSE_MS));
  });
  await unlessAborted(passed, signal).finally(() => clearTimeout(timer));
}
