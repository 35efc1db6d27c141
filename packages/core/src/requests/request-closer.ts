/** Closes an incoming request: the row and the message to the other side, in one unit of work. */
import { isoNow } from '../ports/index.js';
import type { Clock, Inspector } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { RemoteRequest, RequestClosing, RequestStatus } from '../records/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Executor, UnitOfWork } from '../transactions/index.js';
import type { OutgoingMessages } from './messaging/outgoing-messages.js';
import { closeRequest } from './request-state.js';

export interface RequestCloserDeps {
  readonly executor: Executor;
  readonly clock: Clock;
  readonly inspector: Inspector;
  readonly messages: OutgoingMessages;
}

export type FinalStatus = Exclude<RequestStatus, 'NEW'>;
/** The outcome, without who closed it and when. */
export type Outcome = Omit<RequestClosing, 'by' | 'at'>;

export class RequestCloser {
  constructor(private readonly deps: RequestCloserDeps) {}

  /** Inside the caller's unit, which must hold the revision key of the row. Throws `REQUEST_CLOSED`. */
  put(unit: UnitOfWork, request: RemoteRequest, status: FinalStatus, by: string, outcome: Outcome = {}): RemoteRequest {
    const closed = closeRequest(request, status, { by, at: isoNow(this.deps.clock), ...outcome });
    unit.put('request', INSTANCE, closed);
    this.deps.messages.putClosing(unit, closed);
    return closed;
  }

  /** In a new unit. Throws `REQUEST_CLOSED` if it was closed concurrently. */
  async close(request: RemoteRequest, status: FinalStatus, by: string, outcome: Outcome = {}): Promise<RemoteRequest> {
    const [lane, key] = [lanes.request.of(request.id), revisionKeys.request.of(request.id)];
    const { result } = await this.deps.executor.run(lane, [key], async (unit) => {
      const current = (await unit.get('request', INSTANCE, request.id)) ?? request;
      return this.put(unit, current, status, by, outcome);
    });
    this.announce(result);
    return result;
  }

  /** Call after the commit. */
  announce({ messageId, status }: RemoteRequest): void {
    this.deps.inspector({ type: 'request.closed', messageId, status });
  }
}
