/** The states of a request: `NEW`, and five that are final. Pure: a request and what happened give the request after. */
import { BlockworkError } from '../errors.js';
import type { RemoteRequest, RequestClosing, RequestMessage, RequestStatus } from '../records/index.js';

/** The row of the inbox that a message begins. */
export const openRequest = (message: RequestMessage, receivedAt: string): RemoteRequest => ({
  id: message.messageId,
  messageId: message.messageId,
  startMessageId: message.startMessageId ?? message.messageId,
  type: message.action.type,
  policyId: message.policyId,
  sender: message.sender,
  recipient: message.recipient ?? null,
  action: message.action,
  receivedAt,
  expiresAt: message.expiresAt ?? null,
  status: 'NEW',
});

/** Throws `REQUEST_CLOSED` unless the request is `NEW`. */
export function closeRequest(
  request: RemoteRequest,
  status: Exclude<RequestStatus, 'NEW'>,
  closed: RequestClosing,
): RemoteRequest {
  demandNew(request);
  return { ...request, status, closed };
}

/** Throws `REQUEST_CLOSED` unless the request is `NEW`. */
export function demandNew({ messageId, status }: RemoteRequest): void {
  if (status !== 'NEW') throw new BlockworkError('REQUEST_CLOSED', { facts: { messageId, status } });
}

export const hasExpired = ({ expiresAt }: RemoteRequest, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now;
