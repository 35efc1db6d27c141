/** `httpRequestBlock`: calls an external service and turns its response into a credential (reference, section 10). */
import { parseOptions, optionTypes, type OptionsOf } from '@blockwork/core/block';
import {
  defineBlock,
  documentsIn,
  finding,
  passOn,
  secretNamesIn,
  shapedLike,
  shownAddress,
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

const shape = {
  /**
   * Addresses that policies may call, each with everything below it: `https://api.example.org/v1`. None when absent.
   */
  allow: optionTypes
    .list(optionTypes.satisfying<string>(isAllowable, 'must be an address such as https://api.example.org/v1'))
    .default([]),
  /** Host names in `allow` that may resolve to addresses in a private network. */
  privateHosts: optionTypes.list(optionTypes.text).default([]),
  /** Timeout of the whole call including redirects; 10 seconds by default. The policy's other runs wait meanwhile. */
  timeoutMs: optionTypes.milliseconds(1).default(10_000),
  /** Maximum response size in bytes; 1 MiB by default. */
  maxBytes: optionTypes.wholeNumber(1).default(1_048_576),
  /** Replaces Node's HTTP client. Private addresses are then not blocked. */
  fetch: optionTypes.as<typeof globalThis.fetch>(optionTypes.function),
};

export type HttpRequestOptions = OptionsOf<typeof shape>;

/** Throws `OPTION_INVALID`. */
export function httpRequestBlock(settings: HttpRequestOptions = {}): BlockType {
  const { allow, privateHosts, timeoutMs, maxBytes, fetch } = parseOptions(settings, shape, 'httpRequest.');
  const allowed = allowList(allow, privateHosts);
  const transport = fetch === undefined ? nodeTransport : fetchTransport(fetch);
  const calls: ServiceCalls = { allowed, transport, timeoutMs, maxBytes };
  return defineBlock({
    type: 'httpRequestBlock',
    title: 'HTTP request',
    description: 'Calls an external service. Its response, a JSON object, becomes the subject of a credential.',
    kind: 'server',
    passesOn: true,
    children: 'none',
    options: requestOptions,
    check: (node, options) => [...addressFindings(node, options.url, allowed), ...literalSecrets(node, options)],
    on: {
      /** The call is not repeated when the unit of work is retried for another node. It may be after a crash, so it should be idempotent. */
      async RunEvent(ctx, { data }) {
        const documents = documentsIn(data);
        const exchange = await requestFor(ctx, documents[0]);
        const answer = await ctx.once(JSON.stringify(exchange), () => callService(ctx, exchange, calls));
        const made: DocumentInput[] = [];
        const subjects = Array.isArray(answer) ? answer : [answer];
        ctx.budget.expectDocuments(subjects.length);
        for (const subject of subjects) {
          await ctx.budget.giveWay();
          made.push(await answerDocument(ctx, subject, documents));
        }
        passOn(ctx, shapedLike(made, answer));
      },
    },
  });
}

/** Addresses with placeholders can only be checked once filled in. */
function addressFindings(node: BlockNode, url: RequestOptions['url'], allowed: AllowList): Finding[] {
  if (url.includes('${') || secretNamesIn(url).length > 0) return [];
  if (!URL.canParse(url)) {
    return [
      finding(node, { path: '/url', message: `"${node.tag}" calls "${shownAddress(url)}", which is not an address.` }),
    ];
  }
  const refusal = allowed.refusal(new URL(url));
  if (refusal === null) return [];
  const message = `"${node.tag}" calls ${shownAddress(url)}, which is refused: ${refusal}.`;
  return [finding(node, { path: '/url', message, severity: 'warning' })];
}
