/** Holds an answer against the contract: its status, headers and body must be what the route promises. */
import { contract } from '@blockwork/http-koa';
import type { Route, RouteName } from '@blockwork/http-koa';
import { expect } from 'vitest';

/** Returns the body. */
export async function expectAnswer(name: RouteName, response: Response, status: number): Promise<unknown> {
  const route: Route = contract[name];
  const text = await response.text();
  expect(response.status, text).toBe(status);
  const answer = route.answers[status];
  expect(answer, `${name} does not declare ${status}`).toBeDefined();

  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-request-id')).toMatch(/^[\dA-Za-z-]{1,64}$/);
  for (const [header, schema] of Object.entries(answer?.headers ?? {})) {
    expect(schema.safeParse(response.headers.get(header)).success, header).toBe(true);
  }

  const body: unknown = JSON.parse(text);
  expect(answer?.schema.safeParse(body).error, text).toBeUndefined();
  if (status >= 400) {
    expect(body).toMatchObject({ code: status, requestId: response.headers.get('x-request-id') });
  }
  if (status === 401) expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="blockwork"/);
  return body;
}
