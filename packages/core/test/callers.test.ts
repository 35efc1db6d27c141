/** Callers of the engine are DIDs: what is signed in the name of anything else could not be verified. */
import { createEngine, isDid, permissions, type Caller } from '@blockwork/core';
import { describe, expect, it } from 'vitest';
import { block } from '@blockwork/testing';

const config = block('interfaceContainerBlock', 'root', { permissions: ['ANY_ROLE'] });
const policy = { id: 'p', name: 'p', config };
const named = (did: unknown): Caller => ({ did: did as string, permissions });
const notDids = [
  'not-a-did',
  '',
  'did:example',
  'did:example:',
  'did:Example:a',
  'did:example:a b',
  'did:web:a#key',
  null,
];

describe('a caller that is no DID', () => {
  it.each([...notDids, 7, undefined, `did:example:${'x'.repeat(500)}`])('is not admitted: %j', async (did) => {
    const engine = createEngine();
    const refused = { code: 'CALLER_INVALID', status: 401, message: expect.stringContaining('is not a DID') as string };
    await expect(engine.importPolicy(named(did), policy)).rejects.toMatchObject(refused);
    expect(() => engine.permits(named(did), 'POLICIES_POLICY_READ')).toThrow(expect.objectContaining(refused));
    expect(await engine.listPolicies(named('did:example:owner'))).toMatchObject({ total: 0 });
    await engine.close();
  });

  it('gets nowhere in the engine, and a DID of any method does', async () => {
    const engine = createEngine();
    const owner = named('did:web:example.org%3A8080:users:ana');
    await engine.importPolicy(owner, policy);
    await engine.lifecycle.dryRun(owner, 'p');
    const other = named('ana');
    const calls: ((caller: Caller) => unknown)[] = [
      (caller) => engine.listPolicies(caller),
      (caller) => engine.getPolicy(caller, 'p'),
      (caller) => engine.readBlock(caller, 'p', { tag: 'root' }),
      (caller) => engine.readBlockText(caller, 'p', { tag: 'root' }),
      (caller) => engine.sendToBlock(caller, 'p', { tag: 'root' }, {}),
      (caller) => engine.submitExternal(caller, { owner: owner.did, document: {} }, { policyId: 'p' }),
      (caller) => engine.listGroups(caller, 'p'),
      (caller) => engine.switchGroup(caller, 'p', null),
      (caller) => engine.events(caller),
      (caller) => engine.lifecycle.draft(caller, 'p'),
      (caller) => engine.journal.list(caller, 'p'),
      (caller) => engine.timers.list(caller, 'p'),
      (caller) => engine.requests.list(caller),
      (caller) => engine.notifications.list(caller),
      (caller) => engine.identities.list(caller),
      (caller) => engine.tools.list(caller),
    ];
    for (const call of calls) {
      const calling = (async () => call(other))();
      await expect(calling).rejects.toMatchObject({ code: 'CALLER_INVALID' });
    }
    for (const call of calls.slice(0, 3)) await call(owner);
    await engine.close();
  });

  it('can be told beforehand', () => {
    expect(notDids.filter((did) => did !== null && isDid(did))).toEqual([]);
    expect(isDid('did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK')).toBe(true);
  });
});
