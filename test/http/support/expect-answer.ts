/** Expects an answer of a route with a status, as the contract promises it. */
import { contract } from '@blockwork/contract';
import type { Route, RouteName } from '@blockwork/contract';
import { fileTypeOf } from '@blockwork/contract/file-types';
import { expect } from 'vitest';
import { eventsIn, problemsOf } from './answer-problems.js';

/** Returns the body; of a stream, its events. */
export async function expectAnswer(name: RouteName, response: Response, status: number): Promise<unknown> {
  const route: Route = contract[name];
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(route.answers[status], `${name} does not declare ${status}`).toBeDefined();
  expect(problemsOf(route, response, text)).toEqual([]);
  if (fileTypeOf(route.answers[status]?.mediaType) !== undefined) return text;
  return route.answers[status]?.mediaType === undefined
    ? JSON.parse(text)
    : eventsIn(text).map((data) => JSON.parse(data) as unknown);
}
