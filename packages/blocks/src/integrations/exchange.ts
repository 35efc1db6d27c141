/** The HTTP request of a block, filled in for a document. */
import { tolerant, type DocumentInput, type RunContext } from '@blockwork/core/block';
import { z } from 'zod';
import { filled, filledJson, TemplateError } from './template.js';
import type { HttpExchange } from './transport.js';

const { listOf, text } = tolerant;

export const requestOptions = z.object({
  /** `${path}` is replaced by the value at that path of the document. */
  url: text,
  method: text
    .transform((method) => (method === '' ? 'GET' : method.toUpperCase()))
    .pipe(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  headers: listOf(z.object({ name: text, value: text })),
  /** JSON, with placeholders as in `url`. */
  body: text,
});
export type RequestOptions = z.infer<typeof requestOptions>;

/** Headers of the connection, which policies cannot set. */
const connectionHeaders = ['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer'];

/** Values are encoded for the place in which they are inserted. */
export function exchangeFor(ctx: RunContext<RequestOptions>, document: DocumentInput | undefined): HttpExchange {
  const { did, username } = ctx.user;
  const scope = { did, username, ...document };
  const { url, method, headers, body } = ctx.options;
  try {
    const address = filled(url, scope, encodeURIComponent);
    if (!URL.canParse(address)) throw new TemplateError(`"${address}" is not an address`);
    const written = headers
      .filter(({ name }) => name !== '' && !connectionHeaders.includes(name.toLowerCase()))
      .map(({ name, value }) => [name.toLowerCase(), filled(value, scope, headerText)] as const);
    const sends = body !== '' && method !== 'GET';
    return {
      url: new URL(address),
      method,
      headers: {
        accept: 'application/json',
        ...(sends && { 'content-type': 'application/json' }),
        ...Object.fromEntries(written),
      },
      body: sends ? filledJson(body, scope) : undefined,
    };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const reason = `its request cannot be made, ${error.message}`;
    return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason }, cause: error });
  }
}

function headerText(value: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return value;
  throw new TemplateError('a header holds plain text only');
}
