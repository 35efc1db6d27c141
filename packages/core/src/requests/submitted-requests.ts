/** Requests submitted by the program itself; it is responsible for the authenticity of the instance they name. */
import { BlockworkError } from '../errors.js';
import { isoNow } from '../ports/index.js';
import type { Clock } from '../ports/index.js';
import type { Inspections } from '../telemetry/index.js';
import { describeDetails, toDetails } from '../problem-details.js';
import { nestsTooDeep, requestMessage } from '../records/index.js';
import type { RemoteRequest, RequestMessage } from '../records/index.js';
import type { Inbox } from './inbox.js';
import { MessageRefused } from './messaging/refusal.js';

export interface SubmittedRequestsDeps {
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly inspections: Inspections;
  readonly trustedInstances: ReadonlySet<string>;
  /** The id of this instance. Without one, addressees are not checked. */
  readonly instanceId: string;
  readonly requestMs: number;
}

export class SubmittedRequests {
  constructor(private readonly deps: SubmittedRequestsDeps) {}

  /**
   * Puts the message into the inbox, and resolves with its row. Idempotent: a message that is already there changes
   * nothing, and a different one in the same conversation is refused. Throws `REQUEST_REFUSED` for an invalid request,
   * `SENDER_UNTRUSTED` for an instance that is not trusted.
   */
  async receive(message: unknown): Promise<RemoteRequest> {
    const { clock, instanceId, requestMs, inbox, inspections } = this.deps;
    const {
      messageId,
      startMessageId = messageId,
      sender,
      policyId,
      recipient,
      action,
      expiresAt,
    } = this.#read(message);
    const latest = isoNow({ now: () => clock.now() + requestMs });
    try {
      const { request } = await inbox.take({
        type: 'request',
        from: sender,
        to: instanceId,
        messageId,
        startMessageId,
        policyId,
        ...(recipient !== undefined && { recipient }),
        action,
        expiresAt: expiresAt ?? latest,
      });
      inspections.publish({ type: 'request.received', messageId: request.messageId });
      return request;
    } catch (error) {
      if (error instanceof MessageRefused) refuse(error.detail, error);
      throw error;
    }
  }

  #read(message: unknown): RequestMessage {
    if (nestsTooDeep(message)) return refuse('it nests too deep');
    const parsed = requestMessage.safeParse(message);
    if (!parsed.success) {
      return refuse(describeDetails(toDetails(parsed.error), 'the message'), parsed.error);
    }
    const { sender, action, policyId } = parsed.data;
    if (!this.deps.trustedInstances.has(sender.instance)) {
      throw new BlockworkError('SENDER_UNTRUSTED', { facts: { instance: sender.instance } });
    }
    if (action.type !== 'send-data' && action.policy.id !== policyId) {
      return refuse('the policy that it holds has another id than "policyId" says');
    }
    return parsed.data;
  }
}

function refuse(reason: string, cause?: unknown): never {
  throw new BlockworkError('REQUEST_REFUSED', { facts: { reason }, cause });
}
