/** `fetch` for the tests of the interface: holds every exchange against the contract, whatever the test looks at. */
import { contract, DEFAULT_PREFIX } from '@blockwork/contract';
import type { Route } from '@blockwork/contract';
import { problemsOf } from './answer-problems.js';
import { isWellFormed, sharedDocumentVerdict } from './document-verdict.js';

const routes: readonly Route[] = Object.values(contract);
const service = new Set<string>([contract.health.path, contract.ready.path]);

export type Fetch = (url: string | Request, init?: RequestInit) => Promise<Response>;

/** Rejects if an answer is not what the contract promises, or if the OpenAPI document forbids a request that was taken. */
export const checkedFetch =
  (ask: Fetch): Fetch =>
  async (url, init) => {
    const response = await ask(url, init);
    const { pathname } = new URL(typeof url === 'string' ? url : url.url);
    const method = init?.method ?? (typeof url === 'string' ? 'GET' : url.method);
    const isOurs = pathname.startsWith(`${DEFAULT_PREFIX}/`) || service.has(pathname);
    // 304 stands for an answer that was checked when it was sent.
    if (!isOurs || method === 'OPTIONS' || response.status === 304) return response;
    if (response.headers.get('x-request-id') === null) return response;
    const text = await response.clone().text();
    const route = routeOf(method, pathname);
    const problems = problemsOf(route, response, text);
    if (route !== undefined && isWellFormed(response)) problems.push(...(await requestProblems(route, url, init)));
    if (problems.length > 0) throw new Error(`${method} ${pathname}: ${problems.join('; ')}`);
    return response;
  };

/** A stream is read once, by the server that is tested. */
async function requestProblems(route: Route, url: string | Request, init: RequestInit = {}): Promise<string[]> {
  const { headers, body = null } = init;
  if (typeof url !== 'string' || body instanceof ReadableStream || isApprovalWithoutBody(route, body)) return [];
  const { pathname, search } = new URL(url);
  const verdict = await sharedDocumentVerdict();
  // A host may know its callers in a way of its own: who asks is no question of form.
  const headersSent = new Headers(headers);
  headersSent.set('authorization', 'Bearer anybody');
  // HEAD is asked as GET, which is what the document describes.
  const refusal = await verdict.refusal(pathname + search, { method: route.method, headers: headersSent, body });
  return refusal === null ? [] : [`the OpenAPI document forbids the request: ${refusal}`];
}

/** Taken by servers with `approveWithoutBody` only, so that the document does not know it. */
const isApprovalWithoutBody = (route: Route, body: RequestInit['body']): boolean =>
  route === contract.approveRequest && (body === null || body === 'null');

export const fetch = checkedFetch((url, init) => globalThis.fetch(url, init));

/** The first route whose path fits; fixed segments win over parameters, as in the server. */
function routeOf(method: string, pathname: string): Route | undefined {
  const fitting = routes.filter(
    (route) => method.replace('HEAD', 'GET') === route.method && pattern(route).test(pathname),
  );
  return fitting.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0];
}

function pattern({ path, outsidePrefix }: Route): RegExp {
  const whole = (outsidePrefix === true ? '' : DEFAULT_PREFIX) + path;
  return new RegExp(`^${whole.replace(/\{\w+\}/g, '[^/]+')}/?$`);
}
