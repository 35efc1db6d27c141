/** The HTTP request of a block, filled in for a document. */
import {
  secretNamesIn,
  sensitive,
  shownAddress,
  tolerant,
  type DocumentInput,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { redaction, type Redact } from './redaction.js';
import { filled, filledAddress, filledJson, TemplateError, type TemplateValues } from './template.js';
import type { HttpExchange } from './transport.js';

const { listOf, text } = tolerant;

export const requestOptions = z.object({
  /** `${path}` is replaced by the value at that path of the document, `{{secret:NAME}}` by the secret. */
  url: sensitive(text),
  method: text
    .transform((method) => (method === '' ? 'GET' : method.toUpperCase()))
    .pipe(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  headers: listOf(z.object({ name: text, value: sensitive(text) })),
  /** JSON, with placeholders as in `url`. */
  body: sensitive(text),
});
export type RequestOptions = z.infer<typeof requestOptions>;

/** Headers of the connection, which policies cannot set. */
const connectionHeaders = ['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer'];

export interface FilledRequest {
  readonly exchange: HttpExchange;
  readonly redact: Redact;
}

/** Values are escaped for their context. Throws `SECRET_UNKNOWN`, `BLOCK_MISCONFIGURED`. */
export async function requestFor(
  ctx: RunContext<RequestOptions>,
  document: DocumentInput | undefined,
): Promise<FilledRequest> {
  const { did, username } = ctx.user;
  const secrets = await secretsOf(ctx);
  try {
    const exchange = filledExchange(ctx.options, { scope: { did, username, ...document }, secrets });
    return { exchange, redact: redaction(secrets) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const reason = `its request cannot be made, ${error.message}`;
    return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason }, cause: error });
  }
}

async function secretsOf(ctx: RunContext<RequestOptions>): Promise<Map<string, string>> {
  const { url, headers, body } = ctx.options;
  const names = secretNamesIn([url, ...headers.map(({ value }) => value), body].join(' '));
  return new Map(await Promise.all(names.map(async (name) => [name, await ctx.secrets.get(name)] as const)));
}

function filledExchange({ url, method, headers, body }: RequestOptions, values: TemplateValues): HttpExchange {
  const address = filledAddress(url, values);
  if (!URL.canParse(address)) throw new TemplateError(`"${shownAddress(url)}" does not become an address`);
  const written = headers
    .filter(({ name }) => name !== '' && !connectionHeaders.includes(name.toLowerCase()))
    .map(({ name, value }) => [name.toLowerCase(), filled(value, values, headerText)] as const);
  const sends = body !== '' && method !== 'GET';
  return {
    url: new URL(address),
    method,
    headers: {
      accept: 'application/json',
      ...(sends && { 'content-type': 'application/json' }),
      ...Object.fromEntries(written),
    },
    body: sends ? filledJson(body, values) : undefined,
  };
}

function headerText(value: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return value;
  throw new TemplateError('a header holds plain text only');
}
