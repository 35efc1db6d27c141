/** `httpRequestBlock`: calls an external service and turns its response into a credential (reference, section 10). */
import {
  type BlockNode,
  type BlockType,
  defineBlock,
  type DocumentInput,
  documentsIn,
  finding,
  type Finding,
  isLiteral,
  isObject,
  type JsonObject,
  literalSecret,
  namesSecret,
  type OptionsOf,
  optionTypes,
  parseOptions,
  passOn,
  type RunContext,
  secretNamesIn,
  shapedLike,
  shownAddress,
} from '@blockwork/core/block';
import { credentialDocument } from '../common/credential-document.js';
import { allowList, type AllowList, isAllowable } from './allow-list.js';
import { requestFor, requestOptions, type RequestOptions } from './exchange.js';
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
        const answers: DocumentInput[] = [];
        const subjects = Array.isArray(answer) ? answer : [answer];
        ctx.budget.expectDocuments(subjects.length);
        for (const subject of subjects) {
          await ctx.budget.giveWay();
          answers.push(await answerDocument(ctx, subject, documents));
        }
        passOn(ctx, shapedLike(answers, answer));
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

/** Signed by the policy's owner. Belongs to the owner of the document that triggered the call. */
async function answerDocument(
  ctx: RunContext,
  subject: JsonObject,
  documents: readonly DocumentInput[],
): Promise<DocumentInput> {
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

function literalSecrets(node: BlockNode, { url, headers, body }: RequestOptions): Finding[] {
  const findings: Finding[] = [];
  headers.forEach(({ name, value }, at) => {
    if (!namesSecret(name) || !isLiteral(value)) return;
    findings.push(literalSecret(node, `the header "${name}"`, ['headers', at, 'value']));
  });
  for (const name of secretParameters(url)) findings.push(literalSecret(node, `the parameter "${name}"`, ['url']));
  for (const name of secretMembers(body)) findings.push(literalSecret(node, `the member "${name}"`, ['body']));
  return findings;
}

/** In an address, where nothing else says so, these short names are those of secrets too. */
const namesSecretParameter = (name: string): boolean =>
  namesSecret(name) || /^(key|token|sig|signature|pass|pwd)$/i.test(name);

/** Names of query parameters; `user:password` of the address is one too. */
function secretParameters(url: string): string[] {
  const userInfo = /^[a-z]+:\/\/[^/?#@]*:([^/?#@]*)@/i.exec(url)?.[1] ?? '';
  const query = url.split('#')[0]?.split('?')[1] ?? '';
  const parameters = query.split('&').map((pair) => [pair.split('=')[0] ?? '', pair.split('=').slice(1).join('=')]);
  const named = parameters.filter(([name = '', value = '']) => namesSecretParameter(name) && isLiteral(value));
  return [...(isLiteral(userInfo) ? ['password'] : []), ...named.map(([name = '']) => name)];
}

/** Names of members, at any depth; a body that is not JSON before it is filled in says nothing. */
function secretMembers(body: string): string[] {
  try {
    return membersOf(JSON.parse(body));
  } catch {
    return [];
  }
}

function membersOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(membersOf);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' && namesSecret(name) && isLiteral(member) ? [name] : membersOf(member),
  );
}
