/** The one error of the client. */

export interface ApiErrorDetail {
  /** JSON pointer (RFC 6901) into the body, or the name of a parameter. */
  readonly path: string;
  readonly message: string;
}

/** The server refused the request, or there was no answer. */
export class BlockworkApiError extends Error {
  override readonly name = 'BlockworkApiError';
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /**
   * The code of the server's error table; `NO_ANSWER`; `ANSWER_INVALID` for a response that is not the interface's; or `INPUT_INVALID`
   * with the status 0 for a request that was not sent.
   */
  readonly error: string;
  readonly details: readonly ApiErrorDetail[];
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;
  /** The server's `Retry-After` in milliseconds. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    facts: {
      error: string;
      message: string;
      details?: readonly ApiErrorDetail[];
      requestId?: string;
      retryAfter?: number;
    },
    cause?: unknown,
  ) {
    super(facts.message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.error = facts.error;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
  }
}

/** JavaScript callers may pass anything. Throws `INPUT_INVALID`, naming the method, unless it is an object. */
export function demandObject(value: unknown, method: string, argument: string): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  throw notSent(`The argument ${argument} of ${method} must be an object, not ${kind}.`);
}

/** About what was not sent, as it cannot be. */
export const notSent = (message: string, cause?: unknown): BlockworkApiError =>
  new BlockworkApiError(0, { error: 'INPUT_INVALID', message }, cause);

/** The error that an answer with this body describes. */
export function errorOf(response: Response, text: string): BlockworkApiError {
  const retryAfter = retryAfterOf(response);
  const requestId = response.headers.get('x-request-id');
  const retryFacts = {
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(requestId === null ? {} : { requestId }),
  };
  const body = parsed(text);
  if (body === undefined) {
    const message = `The server answered ${response.status} without saying why.`;
    return new BlockworkApiError(response.status, { error: 'ANSWER_INVALID', message, ...retryFacts }, text);
  }
  const { error = 'ANSWER_INVALID', message, details = [] } = body;
  return new BlockworkApiError(response.status, { error, message, details, ...retryFacts });
}

/** Seconds, or an HTTP-date (RFC 9110, section 10.2.3) relative to the server's clock. */
function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = value.endsWith('GMT') ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  const now = Date.parse(headers.get('date') ?? '');
  return Math.max(0, at - (Number.isNaN(now) ? Date.now() : now));
}

interface ErrorBody {
  readonly message: string;
  readonly error?: string;
  readonly details?: readonly ApiErrorDetail[];
}

function parsed(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null;
    return typeof body?.message === 'string' ? (body as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}
