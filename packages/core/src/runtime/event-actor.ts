/** In whose name the receiver of an event runs (reference engine, section 5.3). */
import { policyUserInGroup, type PolicyUser } from '../access/index.js';
import type { EventLink } from '../policy/index.js';
import { isObject } from '../records/index.js';
import type { Json } from '../records/index.js';
import type { BlockEvent } from './event.js';
import type { OpenPolicy } from './policy-library.js';
import { membershipsOf } from './policy-memberships.js';
import type { RecordReader } from './unit-of-work.js';

/** The initiator, unless the link names the owner or the issuer of the (first) document that the event carries. */
export async function actorOf(
  actor: EventLink['actor'],
  event: BlockEvent,
  policy: OpenPolicy,
  records: RecordReader,
): Promise<PolicyUser> {
  if (actor === 'initiator') return event.user;
  const document = firstDocument(event.data);
  const did = actor === 'owner' ? document?.owner : issuerOf(document);
  if (typeof did !== 'string') return event.user;
  const group = typeof document?.group === 'string' ? document.group : null;
  const memberships = await membershipsOf(records, policy.id, did);
  return policyUserInGroup(did, policy.record.owner, memberships, group);
}

function firstDocument(data: Json): Record<string, unknown> | undefined {
  const first: unknown = Array.isArray(data) ? data[0] : data;
  return isObject(first) ? first : undefined;
}

/** Credentials name their issuer as text, or as an object with an id. */
function issuerOf(document: Record<string, unknown> | undefined): unknown {
  const credential = document?.document;
  if (!isObject(credential)) return undefined;
  return isObject(credential.issuer) ? credential.issuer.id : credential.issuer;
}
