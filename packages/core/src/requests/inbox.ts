/** The inbox: requests from other instances, one row per conversation. */
import { isBlockworkError, type BlockworkError } from '../errors.js';
import { isoNow } from '../ports/index.js';
import type { Clock } from '../ports/index.js';
import { INSTANCE, sameJson } from '../records/index.js';
import type { InquiryMessage, OpeningMessage, RemoteRequest } from '../records/index.js';
import { validTraceparent } from '../telemetry/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Executor, UnitOfWork } from '../transactions/index.js';
import type { ArrivalOutcome, AutoApproval } from './auto-approval.js';
import type { OutgoingMessages } from './messaging/outgoing-messages.js';
import { MessageRefused } from './messaging/refusal.js';
import type { PeerQuota } from './peer-quota.js';
import type { RequestCloser } from './outgoing-requests.js';
import type { RequestedActions } from './requested-actions.js';
import { hasExpired, openRequest } from './request-state.js';

export interface InboxDeps {
  readonly executor: Executor;
  readonly clock: Clock;
  readonly closer: RequestCloser;
  readonly messages: Pick<OutgoingMessages, 'putClosing' | 'putUnknown'>;
  readonly actions: RequestedActions;
  readonly quota: PeerQuota;
  readonly autoApproval: Pick<AutoApproval, 'onArrival'>;
  /** Maximum time that a request stays open, whatever its message says. */
  readonly requestMs: number;
}

/** An opening message with its proposed id in the inbox. */
export type Incoming = Omit<OpeningMessage, 'sentAt'> & { readonly messageId: string };

export interface InboxResult {
  readonly request: RemoteRequest;
  /** False if the conversation was already known. */
  readonly isNew: boolean;
  /** Whether the rule approved it on arrival. */
  readonly isApproved?: boolean;
}

/** Thrown by a unit that would add a request that already exists, whose id is taken, or that has expired. */
class NotDecidable extends Error {}

export class Inbox {
  constructor(private readonly deps: InboxDeps) {}

  /**
   * Returns the row of the conversation, creating it if missing; a `cancel` closes it if it is open. Idempotent.
   * `mayDecide`: the rule may approve a new one at once. Throws `MessageRefused` for a different message in a known
   * conversation.
   */
  async take(incoming: Incoming, mayDecide = false): Promise<InboxResult> {
    const { row, error } = await this.#rowOf(incoming);
    const result =
      mayDecide && error === undefined && incoming.type === 'request' && !hasExpired(row, this.deps.clock.now())
        ? await this.#addDecided(incoming, row)
        : await this.#addOnce(incoming, row, error && { error, by: row.to });
    const { request, isNew } = result;
    if (!isNew && !isSameRequest(request, row)) {
      throw new MessageRefused('unexpected', 'a different message began this conversation', incoming.from.instance);
    }
    if (isNew || incoming.type === 'request' || request.status !== 'NEW') return result;
    return { request: await this.#cancel(request, incoming.from.instance), isNew };
  }

  /** Repeats the closing message to a peer, or reports the request as unknown; sends nothing while it is open. */
  async resendAnswer(inquiry: InquiryMessage): Promise<void> {
    const { startMessageId, policyId, from, sentAt } = inquiry;
    const conversation = [startMessageId, from.instance] as const;
    const key = revisionKeys.conversation.of(...conversation);
    await this.deps.executor.run(lanes.conversation.of(...conversation), [key], async (unit) => {
      const request = await conversationIn(unit, inquiry);
      if (request === undefined) this.deps.messages.putUnknown(unit, inquiry);
      else if (request.policyId === policyId) this.deps.messages.putClosing(unit, request, sentAt);
      else throw new MessageRefused('unexpected', 'the request is about another policy', from.instance);
    });
  }

  /** A concurrent decision wins; either outcome is valid. */
  async #cancel(request: RemoteRequest, by: string): Promise<RemoteRequest> {
    try {
      return await this.deps.closer.close(request, 'CANCELED', by);
    } catch (error) {
      if (isBlockworkError(error, 'REQUEST_CLOSED')) return request;
      throw error;
    }
  }

  /** Adds the request together with the rule's decision, if possible. */
  #addDecided(incoming: Incoming, row: RemoteRequest): Promise<InboxResult> {
    const key = revisionKeys.conversation.of(incoming.startMessageId, incoming.from.instance);
    const enter = async (unit: UnitOfWork): Promise<void> => {
      const isKnown = (await conversationIn(unit, incoming)) !== undefined;
      const isTaken = (await unit.get('request', INSTANCE, row.id)) !== undefined;
      // While it waits for its policy, there is no row yet that the expiry could close.
      if (isKnown || isTaken || hasExpired(row, this.deps.clock.now())) throw new NotDecidable();
      await this.deps.quota.admit(row);
    };
    const take = (ended: ArrivalOutcome | null): Promise<InboxResult> => {
      if (ended === null) return this.#addOnce(incoming, row);
      if ('error' in ended) return this.#addOnce(incoming, row, { error: ended.error, by: 'rule' });
      return Promise.resolve({ request: ended.request, isNew: true, isApproved: true });
    };
    return this.deps.autoApproval.onArrival(row, { keys: [key], enter }, take);
  }

  /** Ids have several sources (topics, this instance), so one may be taken; then the next free one is used. */
  async #addOnce(incoming: Incoming, row: RemoteRequest, failed?: Failed): Promise<InboxResult> {
    const conversation = [incoming.startMessageId, incoming.from.instance] as const;
    const key = revisionKeys.conversation.of(...conversation);
    const { executor, quota } = this.deps;
    for (let free = row; ; free = withNextId(free)) {
      const keys = [key, revisionKeys.request.of(free.id)];
      const { result } = await executor.run(lanes.conversation.of(...conversation), keys, async (unit) => {
        const request = await conversationIn(unit, incoming);
        if (request !== undefined) return { request, isNew: false };
        if ((await unit.get('request', INSTANCE, free.id)) !== undefined) return null;
        await quota.admit(free);
        return { request: this.#put(unit, free, incoming.type, failed), isNew: true };
      });
      if (result !== null) return result;
    }
  }

  #put(unit: UnitOfWork, row: RemoteRequest, type: OpeningMessage['type'], failed?: Failed): RemoteRequest {
    const { closer, clock } = this.deps;
    if (type === 'cancel') return closer.put(unit, row, 'CANCELED', row.sender.instance);
    if (failed !== undefined) {
      const { code, message } = failed.error;
      return closer.put(unit, row, 'ERROR', failed.by, { error: { code, message } });
    }
    if (hasExpired(row, clock.now())) return closer.put(unit, row, 'EXPIRED', row.to);
    unit.put('request', INSTANCE, row);
    return row;
  }

  /** The row to store, including the error if no decision about it is possible. */
  async #rowOf(incoming: Incoming): Promise<{ row: RemoteRequest; error?: BlockworkError }> {
    const { messageId, startMessageId, policyId, from: sender, to, recipient = null, action } = incoming;
    const { clock, actions, requestMs } = this.deps;
    const traceparent = validTraceparent(incoming.traceparent);
    const expiresAt = new Date(Math.min(Date.parse(incoming.expiresAt), clock.now() + requestMs)).toISOString();
    const make = (concerns: string | null): RemoteRequest =>
      openRequest(
        {
          ...(traceparent !== undefined && { traceparent }),
          messageId,
          startMessageId,
          direction: 'incoming',
          type: action.type,
          policyId,
          sender,
          to,
          recipient,
          concerns,
          action,
          receivedAt: isoNow(clock),
          expiresAt,
        },
        sender.did,
      );
    try {
      const decider = await actions.decider({ action, policyId, sender, recipient });
      if (action.type === 'send-data' && decider === action.user.did) {
        throw new MessageRefused('foreign-identity', 'it speaks for the owner of the policy', sender.instance);
      }
      return { row: make(decider) };
    } catch (error) {
      if (isBlockworkError(error, 'POLICY_UNKNOWN')) return { row: make(null), error };
      throw error;
    }
  }
}

/** Why a request cannot be decided, and who reports it. */
interface Failed {
  readonly error: BlockworkError;
  readonly by: string;
}

/** The incoming row of the conversation, if there is one. */
async function conversationIn(
  unit: UnitOfWork,
  { from, startMessageId }: Pick<Incoming, 'from' | 'startMessageId'>,
): Promise<RemoteRequest | undefined> {
  const rows = await unit.find('request', INSTANCE, {
    where: { path: 'startMessageId', op: 'eq', value: startMessageId },
  });
  return rows.find(({ direction, sender }) => direction === 'incoming' && sender.instance === from.instance);
}

function withNextId(row: RemoteRequest): RemoteRequest {
  const [seconds = '0', fraction = '0'] = row.messageId.split('.', 2);
  const messageId = `${seconds}.${String(BigInt(fraction) + 1n).padStart(fraction.length, '0')}`;
  return { ...row, id: messageId, messageId };
}

/** Compares the requested content; ids and times differ between deliveries. */
function isSameRequest(a: RemoteRequest, b: RemoteRequest): boolean {
  const contentOf = ({ policyId, sender, recipient, action }: RemoteRequest): unknown => [
    policyId,
    sender,
    recipient,
    action,
  ];
  return sameJson(contentOf(a), contentOf(b));
}
