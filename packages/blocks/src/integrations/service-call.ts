/** One call of a service: within the allow-list and the limits, following same-host redirects. */
import type { JsonObject, RunContext } from '@blockwork/core/block';
import { z } from 'zod';
import type { AllowList } from './allow-list.js';
import type { FilledRequest } from './exchange.js';
import type { HttpAnswer, Transport } from './transport.js';

export interface ServiceCalls {
  readonly allowed: AllowList;
  readonly transport: Transport;
  /** For the whole call. */
  readonly timeoutMs: number;
  /** Of an answer's body. */
  readonly maxBytes: number;
}

const REDIRECTIONS = 5;

/** The response as JSON. Fails with `HOST_NOT_ALLOWED` before a refused address is contacted, or `REMOTE_CALL_FAILED`. */
export async function callService(
  ctx: RunContext,
  { exchange: first, redact }: FilledRequest,
  calls: ServiceCalls,
): Promise<JsonObject | JsonObject[]> {
  const signal = AbortSignal.timeout(calls.timeoutMs);
  const address = (at: URL): string => redact(withoutQuery(at));
  const fail = (reason: string): never =>
    ctx.fail('REMOTE_CALL_FAILED', { facts: { address: address(first.url), reason: redact(reason) } });
  const { traceparent } = ctx;
  // Headers set by the policy take precedence.
  const headers = traceparent === undefined ? first.headers : { traceparent, ...first.headers };
  let { url } = first;
  for (let redirections = 0; redirections <= REDIRECTIONS; redirections += 1) {
    const refusal = calls.allowed.refusal(url);
    if (refusal !== null) ctx.fail('HOST_NOT_ALLOWED', { facts: { address: address(url), reason: refusal } });
    const limits = { signal, maxBytes: calls.maxBytes, mayBePrivate: calls.allowed.mayBePrivate(url.hostname) };
    const answer = await calls.transport({ ...first, url, headers }, limits).catch((error: unknown) => {
      // Only the message is kept: the error object may contain the request with its secrets.
      return fail(signal.aborted ? `there was no answer within ${String(calls.timeoutMs)} ms` : messageOf(error));
    });
    if (!isRedirection(answer)) return subjectsOf({ ...answer, body: redact(answer.body) }, fail);
    const next = nextUrl(url, answer);
    if (next?.origin !== url.origin || first.method !== 'GET') return fail('it redirects to another place');
    url = next;
  }
  return fail('it redirects in circles');
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
