/** Two registries with equal things, so that each caller can ask for what is theirs and for what is not. */
import { publications } from '../policy-archive.js';
import {
  createEngine,
  MemoryLedger,
  MemoryStore,
  SeededKeys,
  silentLogger,
  type Caller,
  type PolicyEngine,
} from '@blockwork/core';
import type { ChangeSet } from '@blockwork/core/adapter';
import { createPolicyHandler } from '@blockwork/http-fetch';
import { signDevelopmentToken } from '@blockwork/http-koa';
import { keyHolder } from '@blockwork/testing';
import { createSecretKey } from 'node:crypto';
import { definitionsOf } from '../definitions.js';
import { counted } from '../equal-worlds.js';
import { goodRequests, knownDevices, type GoodRequest } from '../good-requests.js';
import { notified } from '../notifications.js';
import { policiesInEveryStatus } from '../policies-in-every-status.js';
import { canceledChange, canceledId, message, rejectedId } from '../remote-request.js';
import type { EngineRouteName } from '../routes.js';
import { trialBlocks } from '../trial-blocks.js';
import { documents, offeredPolicy } from '../trial-policy.js';
import { takingEverything, webhooksOf } from '../webhooks.js';
import { bearer, linked, owner, registrant, rules, secret, stranger } from '../world.js';

const other: Caller = { did: 'did:example:other', username: 'other', role: 'STANDARD_REGISTRY' };
const forged = signDevelopmentToken(createSecretKey(Buffer.alloc(32, 2)), owner, rules);

/** By the heading of their column: what they send as `Authorization`. */
export const callers = {
  'no token': undefined,
  'forged token': `Bearer ${forged}`,
  'no role': bearer({ did: 'did:example:nobody' }),
  USER: bearer(stranger),
  member: bearer(registrant),
  registry: bearer(owner),
  'other registry': bearer(other),
  AUDITOR: bearer({ did: 'did:example:auditor', role: 'AUDITOR' }),
  OPERATOR: bearer({ did: 'did:example:operator', role: 'OPERATOR' }),
} as const satisfies Record<string, string | undefined>;

/** The things of one registry: a published policy, the same as a draft, and policies in other statuses. */
interface Things {
  readonly published: string;
  readonly draft: string;
  readonly requests: Readonly<Record<EngineRouteName, GoodRequest>>;
}

export interface MatrixWorld {
  readonly own: Things;
  readonly foreign: Things;
  ask(request: Request): Promise<Response>;
  close(): Promise<void>;
}

const clock = { now: () => Date.UTC(2026, 2, 14, 9, 26, 53) };
const [revoked, rotated] = [await keyHolder('foreign, revoked', clock), await keyHolder('foreign, rotated', clock)];
const foreignDevices = [
  { registration: await revoked.registration(other.did) },
  { registration: await rotated.registration(other.did) },
];

/** Remembers how it came to hold what it holds. */
class RememberingStore extends MemoryStore {
  readonly committed: ChangeSet[] = [];

  override async commit(changeSet: ChangeSet): Promise<void> {
    await super.commit(changeSet);
    this.committed.push(structuredClone(changeSet));
  }

  override async commitChain(changeSets: readonly ChangeSet[]): Promise<void> {
    await super.commitChain(changeSets);
    this.committed.push(...structuredClone(changeSets));
  }
}

/** Of all worlds: what is made in a copy has other ids than what was copied. */
const ids = counted('2');

const engineOn = (store: MemoryStore): PolicyEngine =>
  createEngine({
    ...{ store, clock, ids, keys: new SeededKeys(new Uint8Array(32).fill(3)), logger: silentLogger },
    ...{ blocks: trialBlocks().blocks, trustedInstances: ['far-away'], webhooks: takingEverything },
    ledger: new MemoryLedger(),
    publications,
    ...linked(),
  });

/** What every world begins with. */
async function firstThings(): Promise<Pick<MatrixWorld, 'own' | 'foreign'> & { readonly committed: ChangeSet[] }> {
  const store = new RememberingStore();
  const engine = engineOn(store);
  await engine.program.requests.receive(message());
  await engine.program.requests.receive(message(rejectedId, 'unwanted'));
  const own = await thingsOf(engine, store, owner, (value) => value);
  const foreign = await thingsOf(engine, store, other, asForeign);
  for (const device of knownDevices) await engine.identities.register(owner, device);
  for (const device of foreignDevices) await engine.identities.register(other, device);
  await engine.sendToBlock(registrant, own.published, { tag: 'choose_role' }, { group: 'Team', label: 'Ours' });
  const committed = [...store.committed];
  await engine.close();
  return { own, foreign, committed };
}

let first: ReturnType<typeof firstThings> | undefined;

/** A copy of the first things is much quicker than making them again. */
export async function openMatrixWorld(): Promise<MatrixWorld> {
  const { own, foreign, committed } = await (first ??= firstThings());
  const store = new MemoryStore();
  for (const changeSet of committed) await store.commit(changeSet);
  const engine = engineOn(store);
  const ask = createPolicyHandler(engine, { auth: { secret, ...rules }, logger: silentLogger });
  return { own, foreign, ask, close: () => engine.close() };
}

/** `retold` makes what is the owner's into what is the registry's. */
async function thingsOf(
  engine: PolicyEngine,
  store: MemoryStore,
  registry: Caller,
  retold: <T>(value: T) => T,
): Promise<Things> {
  const imported = async (name: string): Promise<string> => {
    const { policy } = await engine.importPolicy(registry, retold({ ...offeredPolicy, name, policyTag: name }));
    return policy.id;
  };
  const [published, draft] = [await imported('Trial'), await imported('Draft')];
  await engine.lifecycle.publish(registry, published, '1.0.0');
  for (const policyId of [published, draft]) await engine.program.documents.add(policyId, retold(documents(4)));
  const policies = await policiesInEveryStatus(engine, registry);
  const changes: ChangeSet[] = [canceledChange, notified, webhooksOf(published)];
  for (const change of [definitionsOf(published), ...changes.map(retold)]) await store.commit(change);
  const requests = goodRequests(published, policies);
  const each = Object.entries(requests).map(([name, request]) => [name, retold(request)]);
  return { published, draft, requests: Object.fromEntries(each) as Things['requests'] };
}

const samples = goodRequests('', { replaced: '' } as never);

const renamed: readonly (readonly [string, string])[] = [
  [owner.did, other.did],
  [canceledId, `${canceledId}9`],
  ['webhook-', 'foreign-webhook-'],
  ['dead-letter', 'foreign-dead-letter'],
  ['notification-', 'foreign-notification-'],
  [samples.revokeKey.params['key'] ?? '', revoked.key],
  [samples.rotateKey.params['key'] ?? '', rotated.key],
  ['Trial', 'Foreign'],
];

/** Files stay as they are. */
function asForeign<T>(value: T): T {
  if (value !== null && typeof value === 'object' && 'body' in value && typeof value.body !== 'string') {
    const { body, ...rest } = value;
    return { ...asForeign(rest), body } as T;
  }
  const text = renamed.reduce((rest, [from, to]) => rest.replaceAll(from, to), JSON.stringify(value));
  return JSON.parse(text) as T;
}
