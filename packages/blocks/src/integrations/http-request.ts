/** `httpRequestBlock`: calls a service outside the policy, and turns its answer into a credential (reference, section 10). */
import { checkOptions, optionTypes, type OptionShape } from '@blockwork/core/block';
import {
  defineBlock,
  documentsIn,
  finding,
  passOn,
  secretNamesIn,
  shapedLike,
  type BlockNode,
  type BlockType,
  type DocumentInput,
  type Finding,
} from '@blockwork/core/block';
import { allowList, isAllowable, type AllowList } from './allow-list.js';
import { answerDocument } from './answer-document.js';
import { requestFor, requestOptions, type RequestOptions } from './exchange.js';
import { literalSecrets } from './literal-secrets.js';
import { callService, type ServiceCalls } from './service-call.js';
import { fetchTransport, nodeTransport } from './transport.js';

export interface HttpRequestOptions {
  /**
   * Addresses that policies may call, each with everything below it: `https://api.example.org/v1`. None when absent.
   */
  readonly allow?: readonly string[];
  /** Host names in `allow` that may resolve to addresses in a private network. */
  readonly privateHosts?: readonly string[];
  /** Limit for the whole call, redirections included; 10 seconds when absent. The policy's other runs wait as long. */
  readonly timeoutMs?: number;
  /** Largest answer in bytes; 1 MiB when absent. */
  readonly maxBytes?: number;
  /** Used in place of Node's HTTP client. Private addresses are then not refused. */
  readonly fetch?: typeof globalThis.fetch;
}

const shape: OptionShape<HttpRequestOptions> = {
  allow: optionTypes.list(optionTypes.satisfying(isAllowable, 'must be an address such as https://api.example.org/v1')),
  privateHosts: optionTypes.list(optionTypes.text),
  timeoutMs: optionTypes.milliseconds(1),
  maxBytes: optionTypes.wholeNumber(1),
  fetch: optionTypes.function,
};

/** Throws `OPTION_INVALID`. */
export function httpRequestBlock(settings: HttpRequestOptions = {}): BlockType {
  checkOptions(settings, shape, 'httpRequest.');
  const { allow = [], privateHosts = [], timeoutMs = 10_000, maxBytes = 1_048_576, fetch } = settings;
  const allowed = allowList(allow, privateHosts);
  const transport = fetch === undefined ? nodeTransport : fetchTransport(fetch);
  const calls: ServiceCalls = { allowed, transport, timeoutMs, maxBytes };
  return defineBlock({
    type: 'httpRequestBlock',
    title: 'HTTP request',
    description: 'Calls a service outside the policy. Its answer, a JSON object, becomes the subject of a credential.',
    kind: 'server',
    passesOn: true,
    children: 'none',
    options: requestOptions,
    check: (node, options) => [...addressFindings(node, options.url, allowed), ...literalSecrets(node, options)],
    on: {
      /** Not repeated when the unit of work runs again for another node; after a crash it may be, so the service must tolerate that. */
      async RunEvent(ctx, { data }) {
        const documents = documentsIn(data);
        const exchange = await requestFor(ctx, documents[0]);
        const answer = await ctx.once(JSON.stringify(exchange), () => callService(ctx, exchange, calls));
        const made: DocumentInput[] = [];
        for (const subject of Array.isArray(answer) ? answer : [answer]) {
          made.push(await answerDocument(ctx, subject, documents));
        }
        passOn(ctx, shapedLike(made, answer));
      },
    },
  });
}

/** An address with placeholders is known only when it is filled in. */
function addressFindings(node: BlockNode, url: RequestOptions['url'], allowed: AllowList): Finding[] {
  if (url.includes('${') || secretNamesIn(url).length > 0) return [];
  if (!URL.canParse(url)) {
    return [finding(node, { path: '/url', message: `"${node.tag}" calls "${url}", which is not an address.` })];
  }
  const refusal = allowed.refusal(new URL(url));
  if (refusal === null) return [];
  const message = `"${node.tag}" calls ${url}, which is refused: ${refusal}.`;
  return [finding(node, { path: '/url', message, severity: 'warning' })];
}
