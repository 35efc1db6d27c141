/**
 * The states of a request: `NEW`, and five final ones. Pure functions from a request and an event to the next state.
 */
import { BlockworkError } from '../errors.js';
import type { RemoteRequest, RequestClosing, RequestStatus } from '../records/index.js';

/** A row without a history yet. */
export const openRequest = (row: Omit<RemoteRequest, 'id' | 'status' | 'history'>, by: string): RemoteRequest => ({
  id: row.messageId,
  ...row,
  status: 'NEW',
  history: [{ status: 'NEW', at: row.receivedAt, by }],
});

/** Throws `REQUEST_CLOSED` unless the request is `NEW`. */
export function closeRequest(
  request: RemoteRequest,
  status: Exclude<RequestStatus, 'NEW'>,
  closed: RequestClosing,
): RemoteRequest {
  assertOpen(request);
  const { by, at } = closed;
  return { ...request, status, closed, history: [...request.history, { status, at, by }] };
}

/** Throws `REQUEST_CLOSED` unless the request is `NEW`. */
export function assertOpen({ messageId, status }: RemoteRequest): void {
  if (status !== 'NEW') throw new BlockworkError('REQUEST_CLOSED', { facts: { messageId, status } });
}

export const hasExpired = ({ expiresAt }: RemoteRequest, now: number): boolean => Date.parse(expiresAt) <= now;
