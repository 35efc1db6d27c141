/** A policy's users, for blocks: any identity as a user, with account and name. */
import { policyUserInGroup, type PolicyUser } from '../access/index.js';
import type { Accounts } from '../ports/index.js';
import { isObject } from '../records/index.js';
import type { EventData, UserReader } from '../block-api/index.js';
import type { OpenPolicy } from '../catalog/index.js';
import { memberOfDevice } from './member-devices.js';
import { membershipsOf } from './policy-memberships.js';
import type { RecordReader } from '../transactions/index.js';

export class PolicyUsers implements UserReader {
  constructor(
    private readonly records: RecordReader,
    private readonly policy: OpenPolicy,
    private readonly current: PolicyUser,
    private readonly accounts: Accounts,
  ) {}

  async as(did: string, group: string | null = null): Promise<PolicyUser> {
    const memberships = await membershipsOf(this.records, this.policy.id, did);
    return policyUserInGroup(did, this.policy.record.owner, memberships, group);
  }

  /** The key includes the group under which the state was saved. */
  async byKey(key: string): Promise<PolicyUser> {
    const [, group, did] = /^([0-9a-f]{8}-[0-9a-f-]{27}):(.*)$/is.exec(key) ?? [];
    if (group === undefined || did === undefined) return { ...(await this.as(key)), group: null, key };
    return { ...(await this.as(did, group)), group, key };
  }

  async actor(actor: 'owner' | 'issuer' | '' | null | undefined, data: EventData): Promise<PolicyUser> {
    const document = firstDocument(data);
    const did = actor === 'owner' ? document?.owner : actor === 'issuer' ? issuerOf(document) : undefined;
    if (typeof did !== 'string') return this.current;
    return this.as(did, typeof document?.group === 'string' ? document.group : null);
  }

  account(did: string): Promise<string | null> {
    return this.accounts.accountOf(did);
  }

  async isDeviceOf(device: string, member: string): Promise<boolean> {
    return (await memberOfDevice(this.records, device)) === member;
  }

  async nameOf(did: string): Promise<string> {
    const memberships = await membershipsOf(this.records, this.policy.id, did);
    const username = memberships.find(({ username }) => username !== undefined && username !== did)?.username;
    const { owner, ownerName } = this.policy.record;
    return username ?? (did === owner && typeof ownerName === 'string' ? ownerName : did);
  }
}

function firstDocument(data: EventData): Record<string, unknown> | undefined {
  const first: unknown = Array.isArray(data) ? data[0] : data;
  return isObject(first) ? first : undefined;
}

/** The issuer of a credential is a string, or an object with an id. */
function issuerOf(document: Record<string, unknown> | undefined): unknown {
  const credential = document?.document;
  if (!isObject(credential)) return undefined;
  return isObject(credential.issuer) ? credential.issuer.id : credential.issuer;
}
