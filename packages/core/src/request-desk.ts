/** The desk for requests of remote instances: where they come in, and where those who may decide look them up. */
import { demand } from './access/index.js';
import type { Caller, PermissionTable } from './access/index.js';
import type { Inbox, RequestFilter } from './approvals/index.js';
import { BlockworkError } from './errors.js';
import type { Inspector } from './ports/index.js';
import type { RemoteRequest } from './records/index.js';

export class RequestDesk {
  constructor(
    private readonly inbox: Inbox,
    private readonly permissionTable: PermissionTable,
    private readonly inspector: Inspector,
  ) {}

  /**
   * Takes in a message of a trusted instance; whoever calls this vouches that it really comes from the sender it
   * names. The same message again changes nothing. Throws `REQUEST_REFUSED` and `SENDER_UNTRUSTED`.
   */
  async receive(message: unknown): Promise<RemoteRequest> {
    const request = await this.inbox.receive(message);
    this.inspector({ type: 'request.received', messageId: request.messageId });
    return request;
  }

  /** Requests that the caller may decide about, in the order of arrival; `total` counts them all. */
  list(
    caller: Caller,
    filter: Omit<RequestFilter, 'recipient'> = {},
  ): Promise<{ items: RemoteRequest[]; total: number }> {
    demand(this.permissionTable, caller, 'POLICIES_EXTERNAL_POLICY_READ');
    return this.inbox.list({ ...filter, recipient: caller.did });
  }

  /** Throws `REQUEST_UNKNOWN`, also for a request that is meant for somebody else. */
  async get(caller: Caller, messageId: string): Promise<RemoteRequest> {
    demand(this.permissionTable, caller, 'POLICIES_EXTERNAL_POLICY_READ');
    const request = await this.inbox.get(messageId);
    if (request === undefined || (request.recipient !== null && request.recipient !== caller.did)) {
      throw new BlockworkError('REQUEST_UNKNOWN', { facts: { messageId } });
    }
    return request;
  }
}
