/** The list of requests: which ones a caller may see, filtered, counted and paged by the same condition. */
import type { Clock, PolicyStore } from '../ports/index.js';
import { equalTo, allOf, INSTANCE, requestStatus } from '../records/index.js';
import type { Condition, RemoteRequest, RequestStatus, RequestType } from '../records/index.js';
import { cutPage } from '../transactions/index.js';

export interface RequestFilter {
  readonly status?: RequestStatus;
  readonly policyId?: string;
  readonly type?: RequestType;
  readonly direction?: 'incoming' | 'outgoing';
}

export interface RequestPage extends RequestFilter {
  /** Rows to skip; 0 when absent. */
  readonly offset?: number;
  /** Maximum number of rows; 100 when absent. */
  readonly limit?: number;
}

export interface RequestCounts {
  readonly total: number;
  readonly statuses: Readonly<Record<RequestStatus, number>>;
  /** Open requests, both those received and those sent. */
  readonly requestsCount: number;
  readonly actionsCount: number;
  /** Completed within the last minute. */
  readonly delayCount: number;
}

/** The viewer: sees requests that concern them, and those without an addressee if `seesOpen`. */
export interface Viewer {
  readonly did: string;
  readonly seesOpen: boolean;
}

const MINUTE = 60_000;

export class RequestList {
  constructor(
    private readonly store: Pick<PolicyStore, 'get' | 'find' | 'count'>,
    private readonly clock: Clock,
    private readonly limits: { readonly pageBytes: number },
  ) {}

  /** `undefined` also for a row the viewer may not see. */
  async get(viewer: Viewer, messageId: string): Promise<RemoteRequest | undefined> {
    const request = await this.store.get('request', INSTANCE, messageId);
    return request !== undefined && isSeenBy(request, viewer) ? request : undefined;
  }

  /** In order of arrival; `total` counts all matches of the filter. */
  async list(viewer: Viewer, page: RequestPage): Promise<{ items: RemoteRequest[]; total: number }> {
    const where = conditionOf(viewer, page);
    const { offset = 0, limit = 100 } = page;
    const range = { where, offset, bytes: this.limits.pageBytes };
    const [items, total] = await Promise.all([
      cutPage(limit, (size) => this.store.find('request', INSTANCE, { ...range, ...size })),
      this.store.count('request', INSTANCE, where),
    ]);
    return { items: [...items], total };
  }

  async count(viewer: Viewer, filter: RequestFilter): Promise<RequestCounts> {
    const where = conditionOf(viewer, filter);
    const count = (...more: readonly Condition[]): Promise<number> =>
      this.store.count('request', INSTANCE, allOf(where, ...more));
    const since = new Date(this.clock.now() - MINUTE).toISOString();
    const [total, requestsCount, actionsCount, delayCount, ...each] = await Promise.all([
      count(),
      count(equalTo('status', 'NEW'), equalTo('direction', 'incoming')),
      count(equalTo('status', 'NEW'), equalTo('direction', 'outgoing')),
      count(equalTo('status', 'COMPLETED'), { path: 'closed.at', op: 'gte', value: since }),
      ...requestStatus.options.map((status) => count(equalTo('status', status))),
    ]);
    const statuses = Object.fromEntries(requestStatus.options.map((status, at) => [status, each[at] ?? 0]));
    return { total, requestsCount, actionsCount, delayCount, statuses: statuses as RequestCounts['statuses'] };
  }
}

const isSeenBy = ({ concerns }: RemoteRequest, { did, seesOpen }: Viewer): boolean =>
  concerns === null ? seesOpen : concerns === did;

export const isFor = ({ concerns }: RemoteRequest, did: string): boolean => concerns === null || concerns === did;

const conditionOf = (viewer: Viewer, { status, policyId, type, direction }: RequestFilter): Condition =>
  allOf(
    { path: 'concerns', op: 'in', value: viewer.seesOpen ? [viewer.did, null] : [viewer.did] },
    ...Object.entries({ status, policyId, type, direction }).flatMap(([path, value]) =>
      value === undefined ? [] : [equalTo(path, value)],
    ),
  );
