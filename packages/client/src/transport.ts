/** Sends requests, with the token, and again where that is safe and may help. */
import type { RouteName } from '@blockwork/contract';
import { BlockworkApiError, errorOf } from './api-error.js';
import { isIdempotent, outsidePrefix, routes, takesIdempotencyKey } from './routes.js';
import type { UntypedArgs } from './types.js';

export interface ClientOptions {
  /** Where the server is, for instance `https://registry.example`. */
  readonly url: string;
  /** The bearer token, or what gives one for each request. */
  readonly token?: string | (() => string | Promise<string>);
  /**
   * The DID of somebody in the trial of a policy: requests about that policy, which belongs to the holder of the token, are sent as
   * that person. Other requests are refused.
   */
  readonly actAs?: string;
  /** The path before every route; default `/api/v1`. */
  readonly prefix?: string;
  /** Sends a request; the global `fetch` by default. A handler of `@blockwork/http-fetch` serves the client in memory. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** How often a call is repeated that got no answer, 429, 502, 503 or 504, if repeating it does no harm; default 2. */
  readonly retries?: number;
}

/** Milliseconds before the first repetition; each further one waits twice as long. */
export const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;
/** Statuses that may be others soon. */
export const transient: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);

export class Transport {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Resolves with a response of the 200s. */
  async call(name: RouteName, given: UntypedArgs): Promise<Response> {
    const args = takesIdempotencyKey.has(name) ? { idempotencyKey: newKey(), ...given } : given;
    const left = isIdempotent(name) || args.idempotencyKey !== undefined ? (this.#options.retries ?? 2) : 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.once(name, args);
      } catch (error) {
        if (!(error instanceof BlockworkApiError) || attempt >= left || !transient.has(error.status)) throw error;
        await pause(error.retryAfter ?? FIRST_PAUSE_MS * 2 ** attempt, args.signal);
      }
    }
  }

  /** Sends one request as it is. */
  async send(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const { url, fetch = (request: Request) => globalThis.fetch(request) } = this.#options;
    const request = new Request(url.replace(/\/+$/, '') + path, { ...init, signal: signal ?? null });
    const token = await this.#token();
    if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`);
    if (this.#options.actAs !== undefined) request.headers.set('Act-As', this.#options.actAs);
    try {
      return await unlessAborted(fetch(request), signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new BlockworkApiError(0, { error: 'NO_ANSWER', message: `${url} did not answer.` }, cause);
    }
  }

  /** The path of a route with its parameters and its query. */
  pathOf(name: RouteName, args: UntypedArgs): string {
    const [, template = ''] = routes[name].split(' ');
    const params = args as unknown as Readonly<Record<string, string>>;
    const path = template.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(args.query ?? {})) {
      if (typeof value === 'object') for (const each of value) query.append(key, each);
      else if (value !== undefined) query.set(key, String(value));
    }
    const prefix = outsidePrefix.has(name) ? '' : (this.#options.prefix ?? '/api/v1');
    return prefix + path + (query.size === 0 ? '' : `?${query.toString()}`);
  }

  /** Sends one request of a route. Rejects unless the answer is one of the 200s. */
  async once(name: RouteName, args: UntypedArgs): Promise<Response> {
    const [method = 'GET'] = routes[name].split(' ');
    const headers = headersOf(args);
    const init = args.body === undefined ? { method, headers } : { method, ...withBody(headers, args.body) };
    const response = await this.send(this.pathOf(name, args), init, args.signal);
    if (response.ok) return response;
    throw await errorOf(response);
  }

  async #token(): Promise<string | undefined> {
    const { token } = this.#options;
    return typeof token === 'function' ? token() : token;
  }
}

/** 128 random bits; `randomUUID` does not exist on pages without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const headersOf = ({ requestId, idempotencyKey }: UntypedArgs): Record<string, string> => ({
  ...(requestId !== undefined && { 'X-Request-Id': requestId }),
  ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
});

function withBody(headers: Record<string, string>, body: unknown): RequestInit {
  return body instanceof Uint8Array
    ? { headers: { ...headers, 'Content-Type': 'application/zip' }, body: body as NonNullable<RequestInit['body']> }
    : { headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/** A handler in memory cannot see that the caller stopped waiting. */
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

/** Resolves after a while; rejects with the reason of the signal if it is aborted before. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_PAUSE_MS));
  });
  await unlessAborted(passed, signal).finally(() => clearTimeout(timer));
}
