/** The inbox: requests that remote instances have sent, each once. */
import { BlockworkError } from '../errors.js';
import { isoNow } from '../ports/index.js';
import type { Clock, PolicyStore } from '../ports/index.js';
import { toDetails } from '../problem-details.js';
import { INSTANCE, nestsTooDeep, requestMessage } from '../records/index.js';
import type { Condition, RemoteRequest, RequestMessage, RequestStatus } from '../records/index.js';
import type { Executor } from '../runtime/index.js';
import { openRequest } from './request-state.js';

/** The lane and the revision key of one request: writers of different requests never wait for each other. */
export const requestKey = (messageId: string): string => `request/${messageId}`;

export interface RequestFilter {
  readonly status?: RequestStatus;
  readonly policyId?: string;
  /** Only those meant for this identity, or for nobody in particular. */
  readonly recipient?: string;
  readonly offset?: number;
  readonly limit?: number;
}

export class Inbox {
  constructor(
    private readonly store: PolicyStore,
    private readonly executor: Executor,
    private readonly clock: Clock,
    private readonly trustedInstances: ReadonlySet<string>,
  ) {}

  /**
   * Puts the message into the inbox, and resolves with its row. A message that is there already changes nothing,
   * so it may be delivered any number of times; one that differs under the same id is refused.
   * Throws `REQUEST_REFUSED` for what is no request, `SENDER_UNTRUSTED` for an instance that is not trusted.
   */
  async receive(message: unknown): Promise<RemoteRequest> {
    const request = openRequest(this.#read(message), isoNow(this.clock));
    const key = requestKey(request.id);
    const { result } = await this.executor.run(key, [key], async (unit) => {
      const known = await unit.get('request', INSTANCE, request.id);
      if (known === undefined) unit.put('request', INSTANCE, request);
      else if (!saysTheSame(known, request)) refuse(`another message with the id "${request.id}" was received before`);
      return known ?? request;
    });
    return result;
  }

  get(messageId: string): Promise<RemoteRequest | undefined> {
    return this.store.get('request', INSTANCE, messageId);
  }

  /** In the order of arrival; `total` counts what the filter means, before the range is cut out. */
  async list(filter: RequestFilter): Promise<{ items: RemoteRequest[]; total: number }> {
    const where = conditionOf(filter);
    const { offset = 0, limit = 100 } = filter;
    const [items, total] = await Promise.all([
      this.store.find('request', INSTANCE, { where, offset, limit }),
      this.store.count('request', INSTANCE, where),
    ]);
    return { items, total };
  }

  #read(message: unknown): RequestMessage {
    if (nestsTooDeep(message)) return refuse('it nests too deep');
    const parsed = requestMessage.safeParse(message);
    if (!parsed.success) {
      const details = toDetails(parsed.error);
      return refuse(
        details.map((detail) => `${detail.path || 'the message'}: ${detail.message}`).join('; '),
        parsed.error,
      );
    }
    const { sender, action, policyId } = parsed.data;
    if (!this.trustedInstances.has(sender.instance)) {
      throw new BlockworkError('SENDER_UNTRUSTED', { facts: { instance: sender.instance } });
    }
    if (action.type === 'import-policy' && action.policy.id !== policyId) {
      return refuse('the policy that it offers has another id than "policyId" says');
    }
    return parsed.data;
  }
}

function conditionOf({ status, policyId, recipient }: RequestFilter): Condition {
  return {
    all: [
      ...(status === undefined ? [] : [{ path: 'status', op: 'eq', value: status } as const]),
      ...(policyId === undefined ? [] : [{ path: 'policyId', op: 'eq', value: policyId } as const]),
      ...(recipient === undefined ? [] : [{ path: 'recipient', op: 'in', value: [recipient, null] } as const]),
    ],
  };
}

function refuse(reason: string, cause?: unknown): never {
  throw new BlockworkError('REQUEST_REFUSED', { facts: { reason }, cause });
}

/** Both rows were made from a message by the same code, so equal contents have equal texts. */
function saysTheSame(a: RemoteRequest, b: RemoteRequest): boolean {
  const said = ({ startMessageId, policyId, sender, recipient, action, expiresAt }: RemoteRequest): string =>
    JSON.stringify([startMessageId, policyId, sender, recipient, action, expiresAt]);
  return said(a) === said(b);
}
