import { MemoryStore } from '@blockwork/core';
import { describe, expect, it } from 'vitest';
import { block, policyBench, reopenedPolicyBench, type PolicyBench, type UserSession } from '../src/index.js';
import { meadow, READING } from './support/meadow.js';

async function withKeeper(options = {}): Promise<{ bench: PolicyBench; alice: UserSession }> {
  const bench = policyBench(meadow, options);
  const alice = bench.as('alice');
  await alice.choose({ role: 'Keeper' });
  return { bench, alice };
}

const note = (value: number) => ({ document: { value }, ref: null });

describe('the policy bench', () => {
  it('puts the policy on trial, or leaves it a draft, or publishes it', async () => {
    for (const [status, shown] of [
      [undefined, 'DRY-RUN'],
      ['draft', 'DRAFT'],
      ['published', 'PUBLISH'],
    ] as const) {
      const bench = policyBench(meadow, status && { status });
      const { engine, policyId, owner } = await bench.open();
      expect((await engine.getPolicy(owner, policyId)).status).toBe(shown);
      await bench.close();
    }
  });

  it('refuses an option that it does not know, or cannot use', () => {
    expect(() => policyBench(meadow, { stauts: 'draft' } as never)).toThrow('did you mean "status"?');
    expect(() => policyBench(meadow, { status: 'trial' as never })).toThrow('policy bench: status');
    expect(() => policyBench(meadow, { clock: { now: () => 0 } as never })).toThrow('must be a SimulatedClock');
  });

  it('says what keeps a policy from starting', async () => {
    const broken = {
      name: 'Broken',
      config: block('interfaceContainerBlock', 'root', { children: [block('noBlock', 'odd')] }),
    };
    await expect(policyBench(broken).as('alice').read('odd')).rejects.toThrow('noBlock');
  });

  it('knows a user by name: the same one every time, another one by another name', async () => {
    const { bench, alice } = await withKeeper();
    expect(await alice.role()).toBe('Keeper');
    expect(await bench.as('alice').role()).toBe('Keeper');
    expect(await bench.as('bob').role()).toBe('No role');
    expect(bench.as('owner').did).toBe(bench.owner.did);
    expect(await bench.as('bob').account()).not.toBe(await alice.account());
  });

  it('passes on what the engine refuses', async () => {
    const { bench, alice } = await withKeeper();
    await expect(bench.as('bob').send('form', note(1))).rejects.toMatchObject({ code: 'BLOCK_FORBIDDEN' });
    await expect(alice.choose({ role: 'Keeper' })).rejects.toMatchObject({ status: 403 });
    await expect(alice.read('nowhere')).rejects.toMatchObject({ code: 'BLOCK_UNKNOWN' });
    expect((await bench.as('bob').availability('form')).outcome).toBe('forbidden');
  });

  it('finds rows, and says so where there is none', async () => {
    const { bench, alice } = await withKeeper();
    await alice.send('form', note(1));
    await alice.send('form', note(2));

    expect(await bench.owner.grid('notes')).toHaveLength(2);
    const row = await bench.owner.row('notes', { 'document.credentialSubject.0.value': 2, assignedTo: undefined });
    expect(row).toMatchObject({ owner: alice.did });
    await expect(bench.owner.row('notes', { type: 'other' })).rejects.toThrow('None of the 2 rows of "notes"');
    await expect(alice.grid('form')).rejects.toThrow('not a grid');
    expect(await bench.documents({ type: 'note' })).toHaveLength(2);
  });

  it('takes credentials from outside whose proof verifies, and no others', async () => {
    const { bench, alice } = await withKeeper();
    const credential = {
      id: 'urn:uuid:1',
      issuer: alice.did,
      credentialSubject: [{ type: READING, value: 3 }],
    };
    const signed = await bench.sign(credential);

    await bench.external('meter', { owner: alice.did, document: signed });
    await expect(bench.external('meter', { owner: alice.did, document: credential })).rejects.toMatchObject({
      code: 'CREDENTIAL_INVALID',
    });
    const forged = { ...signed, credentialSubject: [{ type: READING, value: 4 }] };
    await expect(bench.external('meter', { owner: alice.did, document: forged })).rejects.toMatchObject({
      code: 'CREDENTIAL_INVALID',
    });
  });

  it('lets time go by, and everything happen at its moment', async () => {
    const { bench, alice } = await withKeeper();
    await alice.send('form', note(1));
    const external = async (value: number): Promise<void> => {
      const document = await bench.sign({
        id: `urn:uuid:${String(value)}`,
        issuer: alice.did,
        credentialSubject: [{ type: READING, value }],
      });
      await bench.external('meter', { owner: alice.did, document });
    };
    await external(1.5);
    await external(2);
    expect((await bench.minted('MDW')).mints).toBe(0);

    await bench.advance('12h');
    expect((await bench.minted('MDW')).mints).toBe(0);
    await bench.advance('3d');

    expect(new Date(bench.clock.now()).toISOString()).toBe('2026-01-04T12:00:00.000Z');
    const ticks = (await bench.journal()).filter(({ cause }) => cause.type === 'tick').map(({ at }) => at);
    // On the days after, there is nothing to mint.
    expect(ticks).toEqual(['2026-01-02T00:00:00.000Z']);
    expect(await bench.minted('MDW')).toEqual({
      mints: 1,
      units: 35n,
      amounts: ['3.5'],
      accounts: { [await alice.account()]: 35n },
    });

    expect(JSON.parse(JSON.stringify(await bench.minted('MDW')))).toMatchObject({ units: '35', amounts: ['3.5'] });

    await external(4);
    await bench.tick('daily');
    expect(await bench.minted('0.0.77')).toMatchObject({ mints: 2, units: 75n });
  });

  it('asks which token is meant where that is not certain', async () => {
    const { bench } = await withKeeper();
    expect(await bench.minted('FLD')).toEqual({ mints: 0, units: 0n, amounts: [], accounts: {} });
    await expect(bench.minted()).rejects.toThrow('0.0.77 (Meadow), 0.0.78 (Field)');
    await expect(bench.minted('GOLD')).rejects.toThrow('GOLD');
  });

  it('goes on over a store that holds a policy already', async () => {
    const store = new MemoryStore();
    const { bench, alice } = await withKeeper({ store });
    await alice.send('form', note(1));
    const { policyId } = await bench.open();

    const again = reopenedPolicyBench(policyId, { store, clock: bench.clock });
    expect(await again.owner.grid('notes')).toHaveLength(1);
    expect(await again.as('alice').role()).toBe('Keeper');
  });

  it('writes nothing when it is only looked at', async () => {
    const { bench } = await withKeeper();
    const entries = (await bench.journal()).length;
    await bench.owner.grid('notes');
    await bench.findings();
    expect(await bench.journal()).toHaveLength(entries);
  });
});
