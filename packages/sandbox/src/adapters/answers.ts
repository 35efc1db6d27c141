/** Adapts responses of the HTTP interface to clients of Guardian 2.23. */
import type { HttpAnswer, HttpRequest, LayerHost } from '@blockwork/http';
import { errorOf, withStatusCode } from '../requests/refusal.js';
import { blockPath } from './policy-path.js';

export interface AnswerRules {
  readonly host: Pick<LayerHost, 'prefix'>;
  readonly emptyForClosedBlocks: boolean;
}

/** A closed or unknown block becomes an empty response, and errors get `statusCode`. Everything else is unchanged. */
export function forOldClients(request: HttpRequest, answer: HttpAnswer, rules: AnswerRules): HttpAnswer {
  const body = errorOf(answer);
  if (body === undefined) return answer;
  if (rules.emptyForClosedBlocks && isReadOfBlock(request, rules) && closed.has(String(body['error']))) {
    const { 'Content-Type': _, Allow: _allow, ...headers } = answer.headers as Record<string, string>;
    return { status: 200, headers, body: null };
  }
  return withStatusCode(answer);
}

const closed = new Set(['BLOCK_FORBIDDEN', 'BLOCK_NOT_ACTIVE', 'BLOCK_NOT_READABLE', 'BLOCK_NEITHER', 'BLOCK_UNKNOWN']);

const isReadOfBlock = ({ method, path }: HttpRequest, { host }: AnswerRules): boolean =>
  (method === 'GET' || method === 'HEAD') && blockPath(path.slice(host.prefix.length)) !== undefined;
