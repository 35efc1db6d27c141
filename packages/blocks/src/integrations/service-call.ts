/** One call of a service: within the allow-list and the limits, following redirections on the same host. */
import type { JsonObject, RunContext } from '@blockwork/core/block';
import { z } from 'zod';
import type { AllowList } from './allow-list.js';
import type { HttpAnswer, HttpExchange, Transport } from './transport.js';

export interface ServiceCalls {
  readonly allowed: AllowList;
  readonly transport: Transport;
  /** For the whole call. */
  readonly timeoutMs: number;
  /** Of an answer's body. */
  readonly maxBytes: number;
}

const REDIRECTIONS = 5;

/** The answer as JSON. Fails with `HOST_NOT_ALLOWED` before a refused address is contacted, or `REMOTE_CALL_FAILED`. */
export async function callService(
  ctx: RunContext,
  first: HttpExchange,
  calls: ServiceCalls,
): Promise<JsonObject | JsonObject[]> {
  const signal = AbortSignal.timeout(calls.timeoutMs);
  const fail = (reason: string, cause?: unknown): never =>
    ctx.fail('REMOTE_CALL_FAILED', { facts: { address: withoutQuery(first.url), reason }, cause });
  let { url } = first;
  for (let redirections = 0; redirections <= REDIRECTIONS; redirections += 1) {
    assertAllowed(ctx, url, calls.allowed);
    const limits = { signal, maxBytes: calls.maxBytes, mayBePrivate: calls.allowed.mayBePrivate(url.hostname) };
    const answer = await calls.transport({ ...first, url }, limits).catch((error: unknown) => {
      const isLate = signal.aborted;
      return fail(isLate ? `there was no answer within ${String(calls.timeoutMs)} ms` : messageOf(error), error);
    });
    if (!isRedirection(answer)) return subjectsOf(answer, fail);
    const next = nextUrl(url, answer);
    if (next?.origin !== url.origin || first.method !== 'GET') return fail('it redirects to another place');
    url = next;
  }
  return fail('it redirects in circles');
}

function assertAllowed(ctx: RunContext, url: URL, allowed: AllowList): void {
  const reason = allowed.refusal(url);
  if (reason !== null) ctx.fail('HOST_NOT_ALLOWED', { facts: { address: withoutQuery(url), reason } });
}

/** Queries may carry secrets, so messages leave them out. */
const withoutQuery = (url: URL): string => url.origin + url.pathname;

const isRedirection = ({ status }: HttpAnswer): boolean => status >= 300 && status < 400;

const nextUrl = (url: URL, { location }: HttpAnswer): URL | null =>
  location !== null && URL.canParse(location, url.href) ? new URL(location, url) : null;

function subjectsOf({ status, body }: HttpAnswer, fail: (reason: string) => never): JsonObject | JsonObject[] {
  if (status < 200 || status >= 300) return fail(`it answered with the status ${String(status)}`);
  return parsedSubjects(body) ?? fail('its answer is neither a JSON object nor a list of them');
}

const subject = z.record(z.string(), z.json());
const subjects = z.union([subject, z.array(subject)]);

function parsedSubjects(body: string): JsonObject | JsonObject[] | undefined {
  try {
    return subjects.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
