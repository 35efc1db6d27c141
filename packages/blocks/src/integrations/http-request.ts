/** `httpRequestBlock`: asks a service outside of the policy, and makes its answer a credential (reference, section 10). */
import {
  RUN,
  type Block,
  type BlockEvent,
  type BlockNode,
  type Finding,
  type Json,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { credentialDocument } from '../common/credential-document.js';
import { documentsIn, type EventDocument } from '../common/event-documents.js';
import { passOn } from '../common/standard-outputs.js';
import { allowList, type AllowList } from './allow-list.js';
import { exchangeFor, requestOptions, type RequestOptions } from './exchange.js';
import { fetchTransport, nodeTransport, type HttpExchange, type Transport } from './transport.js';

export interface HttpRequestOptions {
  /** Addresses that policies may call, with what is below them: `https://api.example.org/v1`. None when absent. */
  readonly allow?: readonly string[];
  /** Names in `allow` that stand for addresses in a private network. */
  readonly privateHosts?: readonly string[];
  /** For the whole call; 10 seconds when absent. */
  readonly timeoutMs?: number;
  /** Of an answer; 1 MiB when absent. */
  readonly maxBytes?: number;
  /** Instead of Node's own; then where names lead is its business. */
  readonly fetch?: typeof globalThis.fetch;
}

const REDIRECTIONS = 5;

export class HttpRequest implements Block<RequestOptions> {
  readonly about = {
    type: 'httpRequestBlock',
    title: 'HTTP request',
    description:
      'Asks a service outside of the policy. Its answer, a JSON object, becomes the subject of a credential.',
    kind: 'server',
    children: 'none',
  } as const;
  readonly options = requestOptions;
  readonly #allowed: AllowList;
  readonly #transport: Transport;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;

  constructor({
    allow = [],
    privateHosts = [],
    timeoutMs = 10_000,
    maxBytes = 1_048_576,
    fetch,
  }: HttpRequestOptions = {}) {
    this.#allowed = allowList(allow, privateHosts);
    this.#transport = fetch === undefined ? nodeTransport : fetchTransport(fetch);
    this.#timeoutMs = timeoutMs;
    this.#maxBytes = maxBytes;
  }

  check(node: BlockNode, { url }: RequestOptions): Finding[] {
    const place = { path: `${node.path}/url`, block: node.uuid, tag: node.tag };
    const isPlain = !url.includes('${');
    const address = isPlain && URL.canParse(url) ? new URL(url) : undefined;
    if (isPlain && address === undefined) {
      const message = `"${node.tag}" calls "${url}", which is no address.`;
      return [{ severity: 'error', code: 'OPTIONS_INVALID', message, ...place }];
    }
    const refusal = address === undefined ? null : this.#allowed.refusal(address);
    if (refusal === null) return [];
    const message = `"${node.tag}" calls ${url}, and may not: ${refusal}.`;
    return [{ severity: 'warning', code: 'OPTIONS_INVALID', message, ...place }];
  }

  readonly on = {
    /** The call is made again where the unit of work is: services must bear being asked twice. */
    [RUN]: async (ctx: RunContext<RequestOptions>, { data }: BlockEvent): Promise<void> => {
      const documents = documentsIn(data);
      const answer = await this.#ask(ctx, exchangeFor(ctx, documents[0]));
      const made: Json[] = [];
      for (const subject of Array.isArray(answer) ? answer : [answer]) {
        made.push((await asDocument(ctx, subject, documents)) as unknown as Json);
      }
      passOn(ctx, Array.isArray(answer) ? made : (made[0] ?? null));
    },
  };

  async #ask(ctx: RunContext<RequestOptions>, first: HttpExchange): Promise<JsonObject | JsonObject[]> {
    const address = first.url.origin + first.url.pathname;
    const refuse = (reason: string, cause?: unknown): never =>
      ctx.fail('REMOTE_CALL_FAILED', { facts: { address, reason }, cause });
    const signal = AbortSignal.timeout(this.#timeoutMs);
    let { url } = first;
    for (let redirections = 0; redirections <= REDIRECTIONS; redirections += 1) {
      const refusal = this.#allowed.refusal(url);
      if (refusal !== null)
        return ctx.fail('HOST_NOT_ALLOWED', { facts: { address: url.origin + url.pathname, reason: refusal } });
      const limits = { signal, maxBytes: this.#maxBytes, mayBePrivate: this.#allowed.mayBePrivate(url.hostname) };
      const answer = await this.#transport({ ...first, url }, limits).catch((error: unknown) =>
        refuse(signal.aborted ? `there was no answer within ${String(this.#timeoutMs)} ms` : messageOf(error), error),
      );
      if (answer.status < 300 || answer.status >= 400) {
        if (answer.status < 200 || answer.status >= 400)
          return refuse(`it answered with the status ${String(answer.status)}`);
        return subjectsIn(answer.body) ?? refuse('its answer is no JSON object, nor a list of them');
      }
      const next =
        answer.location !== null && URL.canParse(answer.location, url.href) ? new URL(answer.location, url) : null;
      if (next?.origin !== url.origin || first.method !== 'GET') return refuse('it redirects to another place');
      url = next;
    }
    return refuse('it redirects in circles');
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function subjectsIn(body: string): JsonObject | JsonObject[] | undefined {
  const object = z.record(z.string(), z.json());
  try {
    return z.union([object, z.array(object)]).safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/** Signed by the policy's owner; it belongs to whoever the document belongs to that was asked about. */
async function asDocument(
  ctx: RunContext<RequestOptions>,
  subject: JsonObject,
  documents: readonly EventDocument[],
): Promise<EventDocument> {
  const [source] = documents;
  const credential = await ctx.credentials.issue({ issuer: ctx.policy.owner, subject });
  const schema = typeof subject.type === 'string' ? { schema: `#${subject.type}`, type: `#${subject.type}` } : {};
  return credentialDocument(ctx, credential, {
    ...schema,
    owner: source?.owner ?? ctx.user.did,
    group: source === undefined ? ctx.user.group : (source.group ?? null),
    relationships: documents.flatMap(({ messageId }) => messageId ?? []),
  });
}
