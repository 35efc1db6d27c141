/** Compares an answer with what the contract promises for its route and status. */
import { DEFAULT_PREFIX, errorBody } from '@blockwork/contract';
import type { Answer, Route } from '@blockwork/contract';
import { CSV, fileTypeOf, TEXT } from '@blockwork/contract/file-types';
import { documentProblems } from './openapi-schemas.js';

const everywhere = {
  'x-content-type-options': /^nosniff$/,
  'cache-control': /^(no-store|private, no-cache)$/,
  'x-request-id': /^[\dA-Za-z-]{1,64}$/,
};

/** `route` is `undefined` where the path or the method is of no route: then the answer is an error. */
export function problemsOf(route: Route | undefined, response: Response, text: string): string[] {
  const { status, headers } = response;
  const answer: Answer | undefined =
    route === undefined ? { description: '', schema: errorBody } : route.answers[status];
  if (answer === undefined) return [`the route does not declare ${status}`];
  const isStream = answer.mediaType === 'text/event-stream';
  const file = fileTypeOf(answer.mediaType);
  const isFile = file !== undefined;
  const isText = !isFile || file === CSV || file === TEXT;
  const type = isText ? `${answer.mediaType ?? 'application/json'}; charset=utf-8` : file;
  const problems = Object.entries({ ...everywhere, 'content-type': new RegExp(`^${type}$`) })
    .filter(([name, pattern]) => !pattern.test(headers.get(name) ?? ''))
    .map(([name]) => `${name} is ${headers.get(name)}`);
  for (const [name, schema] of Object.entries(answer.headers ?? {})) {
    if (!schema.safeParse(headers.get(name) ?? undefined).success) problems.push(`${name} is ${headers.get(name)}`);
  }
  if (status === 401 && !headers.get('www-authenticate')?.startsWith('Bearer realm="blockwork"')) {
    problems.push('there is no challenge');
  }
  if (text === '' || isFile) return problems;
  if (isStream) return [...problems, ...eventsIn(text).flatMap((event) => eventProblems(answer, route, status, event))];
  return [...problems, ...bodyProblems(answer, response, text), ...described(route, status, text)];
}

/** What the OpenAPI document promises must hold as well. */
function described(route: Route | undefined, status: number, text: string): string[] {
  if (route === undefined) return [];
  const path = (route.outsidePrefix === true ? '' : DEFAULT_PREFIX) + route.path;
  return documentProblems(path, route.method, { status, type: route.answers[status]?.mediaType }, JSON.parse(text));
}

/** The data of each event of a stream. */
export const eventsIn = (text: string): string[] => [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data);

function eventProblems({ schema }: Answer, route: Route | undefined, status: number, data: string): string[] {
  const { error } = schema.safeParse(JSON.parse(data));
  return [...(error === undefined ? [] : [`${error.message} in ${data}`]), ...described(route, status, data)];
}

function bodyProblems({ schema }: Answer, response: Response, text: string): string[] {
  const body = JSON.parse(text) as { code?: number; requestId?: string } | null;
  const { error } = schema.safeParse(body);
  const problems = error === undefined ? [] : [`${error.message} in ${text}`];
  if (response.status < 400) return problems;
  if (body?.code !== response.status) problems.push(`the code of the body is ${body?.code}`);
  if (body?.requestId !== response.headers.get('x-request-id')) problems.push('the body has another request id');
  return problems;
}
