import { MemoryLedger } from '../../memory/memory-ledger.js';
import { describe, expect, it } from 'vitest';
import { ALICE, BOB, CREDIT, DEED, openBook, P } from '../../../test/ledger-book.js';
import { revisionKeys, UnitOfWork } from '../../transactions/index.js';
import { PolicyLedgerWriter } from './policy-ledger.js';

const refused = (reason: RegExp): unknown =>
  expect.objectContaining({ code: 'LEDGER_REFUSED', message: expect.stringMatching(reason) as unknown });

describe('tokens of the book', () => {
  it('are what the file says until something happens to them', async () => {
    const testLedger = await openBook();
    expect(await testLedger.reader.token(CREDIT)).toMatchObject({ tokenType: 'fungible', decimals: 2, supply: '0' });
    expect(await testLedger.store.count('ledger-token', P)).toBe(0);
    await testLedger.unit((ledger) => ledger.mint(CREDIT, ALICE, 250n));
    expect(await testLedger.reader.token(CREDIT)).toMatchObject({ decimals: 2, supply: '250' });
  });

  it('are unknown where the policy has none of that id', async () => {
    const testLedger = await openBook();
    expect(await testLedger.reader.token('0.0.9')).toBeUndefined();
    await expect(testLedger.unit((ledger) => ledger.mint('0.0.9', ALICE, 1n))).rejects.toMatchObject({
      code: 'TOKEN_UNKNOWN',
      facts: { tokenId: '0.0.9', policyId: P },
    });
    await expect(testLedger.unit((ledger) => ledger.freeze('0.0.9', ALICE))).rejects.toMatchObject({
      code: 'TOKEN_UNKNOWN',
    });
  });

  it('are made from a template, with an id of their own and an effect that says what they are', async () => {
    const testLedger = await openBook();
    const input = { tokenName: 'New', tokenSymbol: 'N', tokenType: 'fungible', decimals: 3, source: {} } as const;
    const token = await testLedger.unit((ledger) => ledger.createToken(input));
    expect(token).toEqual({ ...input, id: '0.0.1001', supply: '0', lastSerial: 0 });
    await testLedger.unit((ledger) => ledger.mint(token.id, ALICE, 1n));
    const { items } = await testLedger.ledger.listEffects(P);
    expect(items[0]).toMatchObject({ type: 'create-token', tokenId: token.id, body: input });
    expect((await testLedger.ledger.listTokens(P)).map(({ id }) => id)).toEqual([CREDIT, DEED, token.id]);
  });
});

describe('minting', () => {
  it('gives fungible tokens in one go, and says how many in units and as an amount', async () => {
    const testLedger = await openBook();
    const effect = await testLedger.unit((ledger) => ledger.mint(CREDIT, ALICE, 1234n, 'for a report'));
    expect(effect).toEqual({
      id: `${P}/000000000001/0`,
      policyId: P,
      at: '2026-01-01T00:00:00.000Z',
      type: 'mint',
      tokenId: CREDIT,
      accountId: ALICE,
      units: '1234',
      amount: '12.34',
      memo: 'for a report',
    });
    expect(await testLedger.reader.relation(CREDIT, ALICE)).toMatchObject({
      associated: true,
      balance: '1234',
      kyc: 'unset',
    });
  });

  it('numbers the serials of a non-fungible token on, also after some were wiped', async () => {
    const testLedger = await openBook();
    const mint = (count: bigint) => testLedger.unit((ledger) => ledger.mint(DEED, ALICE, count));
    expect((await mint(3n)).serials).toEqual([[1, 3]]);
    await testLedger.unit((ledger) => ledger.wipe(DEED, ALICE, 3n));
    expect((await mint(1_000_000n)).serials).toEqual([[4, 1_000_003]]);
    expect(await testLedger.reader.token(DEED)).toMatchObject({ supply: '1000000', lastSerial: 1_000_003 });
  });

  it('is seen by what follows in the same unit, and by nobody when the unit fails', async () => {
    const testLedger = await openBook();
    const failing = testLedger.unit(async (ledger) => {
      await ledger.mint(CREDIT, ALICE, 5n);
      expect(await ledger.relation(CREDIT, ALICE)).toMatchObject({ balance: '5' });
      throw new Error('the block after it fails');
    });
    await expect(failing).rejects.toThrow('the block after it fails');
    expect(await testLedger.reader.relation(CREDIT, ALICE)).toMatchObject({ associated: false, balance: '0' });
    expect((await testLedger.ledger.listEffects(P)).total).toBe(0);
  });

  it('counts every one of several that are called at once', async () => {
    const testLedger = await openBook();
    await testLedger.unit((ledger) => Promise.all([1n, 2n, 3n].map((units) => ledger.mint(CREDIT, ALICE, units))));
    expect(await testLedger.ledger.getMintTotals(P, CREDIT)).toEqual({
      mints: 3,
      units: '6',
      amounts: ['0.01', '0.02', '0.03'],
      accounts: { [ALICE]: '6' },
    });
    expect((await testLedger.ledger.listEffects(P)).items.map(({ id }) => id)).toEqual(
      [0, 1, 2].map((n) => `${P}/000000000001/${n}`),
    );
  });

  it('stops at what fits into 63 bits', async () => {
    const testLedger = await openBook();
    await testLedger.unit((ledger) => ledger.mint(CREDIT, ALICE, 2n ** 63n - 1n));
    await expect(testLedger.unit((ledger) => ledger.mint(CREDIT, BOB, 1n))).rejects.toThrow(
      refused(/cannot have 0\.01 more/),
    );
    await expect(testLedger.unit((ledger) => ledger.mint(DEED, BOB, 2n ** 53n))).rejects.toThrow(
      refused(/cannot have/),
    );
  });

  it('is refused for a negative number, for nobody, for a frozen account and for one whose KYC is revoked', async () => {
    const testLedger = await openBook();
    await testLedger.unit(async (ledger) => {
      for (const account of [ALICE, BOB]) await ledger.associate(CREDIT, account);
      await ledger.freeze(CREDIT, ALICE);
      await ledger.revokeKyc(CREDIT, BOB);
    });
    const mint = (account: string, units: bigint) => testLedger.unit((ledger) => ledger.mint(CREDIT, account, units));
    await expect(mint('0.0.13', -1n)).rejects.toThrow(refused(/less than nothing/));
    await expect(mint('', 1n)).rejects.toThrow(refused(/no account is named for token 0\.0\.5001/));
    await expect(mint(ALICE, 1n)).rejects.toThrow(refused(/account 0\.0\.11 is frozen for token 0\.0\.5001/));
    await expect(mint(BOB, 1n)).rejects.toThrow(refused(/KYC of account 0\.0\.12 for token 0\.0\.5001 is revoked/));
  });
});

describe('wiping and transferring', () => {
  it('take what the account holds and no more', async () => {
    const testLedger = await openBook();
    await testLedger.unit(async (ledger) => {
      await ledger.mint(CREDIT, ALICE, 100n);
      await ledger.transfer(CREDIT, ALICE, BOB, 30n);
      await ledger.wipe(CREDIT, ALICE, 20n);
      await expect(ledger.wipe(CREDIT, ALICE, 51n)).rejects.toThrow(
        refused(/holds 0\.50 of token .*, less than 0\.51/),
      );
      await expect(ledger.transfer(CREDIT, BOB, ALICE, 31n)).rejects.toThrow(refused(/less than 0\.31/));
      await expect(ledger.transfer(CREDIT, BOB, BOB, 1n)).rejects.toThrow(refused(/to itself/));
    });
    expect(await testLedger.reader.token(CREDIT)).toMatchObject({ supply: '80' });
    expect(await testLedger.ledger.getMintTotals(P, CREDIT)).toMatchObject({
      units: '100',
      accounts: { [ALICE]: '50', [BOB]: '30' },
    });
    expect((await testLedger.ledger.listEffects(P)).items.map(({ type }) => type)).toEqual([
      'mint',
      'transfer',
      'wipe',
    ]);
  });

  it('move the lowest serials first, and an account gives what it was given', async () => {
    const testLedger = await openBook();
    const serials = await testLedger.unit(async (ledger) => [
      (await ledger.mint(DEED, ALICE, 5n)).serials,
      (await ledger.transfer(DEED, ALICE, BOB, 2n)).serials,
      (await ledger.mint(DEED, BOB, 2n)).serials,
      (await ledger.wipe(DEED, BOB, 3n)).serials,
      (await ledger.transfer(DEED, BOB, ALICE, 1n)).serials,
      (await ledger.wipe(DEED, ALICE, 4n)).serials,
    ]);
    expect(serials).toEqual([
      [[1, 5]],
      [[1, 2]],
      [[6, 7]],
      [
        [1, 2],
        [6, 6],
      ],
      [[7, 7]],
      [
        [3, 5],
        [7, 7],
      ],
    ]);
    expect(await testLedger.store.count('ledger-lot', P)).toBe(0);
  });

  it('do not reach a frozen account, save to wipe it', async () => {
    const testLedger = await openBook();
    await testLedger.unit(async (ledger) => {
      await ledger.mint(CREDIT, ALICE, 10n);
      await ledger.freeze(CREDIT, ALICE);
      await expect(ledger.transfer(CREDIT, ALICE, BOB, 1n)).rejects.toThrow(refused(/is frozen/));
      await ledger.wipe(CREDIT, ALICE, 10n);
    });
    expect(await testLedger.reader.token(CREDIT)).toMatchObject({ supply: '0' });
  });
});

describe('relations', () => {
  it('say whether anything changed, and only then leave an effect', async () => {
    const testLedger = await openBook();
    const changed = await testLedger.unit(async (ledger) => [
      await ledger.associate(CREDIT, ALICE),
      await ledger.associate(CREDIT, ALICE),
      await ledger.grantKyc(CREDIT, ALICE),
      await ledger.grantKyc(CREDIT, ALICE),
      await ledger.freeze(CREDIT, ALICE),
      await ledger.freeze(CREDIT, ALICE),
      await ledger.unfreeze(CREDIT, ALICE),
      await ledger.unfreeze(CREDIT, ALICE),
      await ledger.dissociate(CREDIT, ALICE),
      await ledger.dissociate(CREDIT, ALICE),
    ]);
    expect(changed).toEqual([true, false, true, false, true, false, true, false, true, false]);
    const types = (await testLedger.ledger.listEffects(P)).items.map(({ type }) => type);
    expect(types).toEqual(['associate', 'grant-kyc', 'freeze', 'unfreeze', 'dissociate']);
  });

  it('cannot be decided for an account that is not associated, nor ended while it holds something or is frozen', async () => {
    const testLedger = await openBook();
    await testLedger.unit(async (ledger) => {
      await expect(ledger.freeze(CREDIT, ALICE)).rejects.toThrow(
        refused(/account 0\.0\.11 of token 0\.0\.5001 is not associated/),
      );
      await expect(ledger.grantKyc(CREDIT, ALICE)).rejects.toThrow(refused(/not associated/));
      await ledger.mint(CREDIT, ALICE, 1n);
      await expect(ledger.dissociate(CREDIT, ALICE)).rejects.toThrow(refused(/still holds 1 units/));
      await ledger.wipe(CREDIT, ALICE, 1n);
      await ledger.freeze(CREDIT, ALICE);
      await expect(ledger.dissociate(CREDIT, ALICE)).rejects.toThrow(refused(/is frozen/));
    });
  });

  it('remember a revoked KYC over a dissociation', async () => {
    const testLedger = await openBook();
    await testLedger.unit(async (ledger) => {
      await ledger.associate(CREDIT, ALICE);
      await ledger.revokeKyc(CREDIT, ALICE);
      await ledger.dissociate(CREDIT, ALICE);
      await expect(ledger.mint(CREDIT, ALICE, 1n)).rejects.toThrow(refused(/is revoked/));
    });
  });
});

describe('an outside ledger', () => {
  it('can refuse what the book allows, and then nothing is booked', async () => {
    const externalLedger = new MemoryLedger();
    const testLedger = await openBook({ externalLedger });
    externalLedger.refuseNext('mint', 'Account 0.0.11 does not exist.');
    const caught = await testLedger.unit((ledger) => ledger.mint(CREDIT, ALICE, 5n).catch((error: unknown) => error));
    expect(caught).toMatchObject({
      code: 'LEDGER_REFUSED',
      message: 'The ledger refuses this: Account 0.0.11 does not exist.',
      cause: { message: 'Account 0.0.11 does not exist.' },
    });
    expect(await testLedger.reader.relation(CREDIT, ALICE)).toMatchObject({ associated: false, balance: '0' });
    expect([
      await testLedger.store.count('ledger-effect', P),
      await testLedger.store.count('settlement', 'instance'),
    ]).toEqual([0, 0]);
  });

  it('is asked about a topic and its first message before either is there', async () => {
    const externalLedger = new MemoryLedger();
    const testLedger = await openBook({ externalLedger });
    externalLedger.refuseNext('message');
    const message = { topic: 'root', type: 'vc-document', owner: 'did:example:owner' };
    await testLedger.unit((ledger) =>
      expect(ledger.publish(message)).rejects.toMatchObject({ code: 'LEDGER_REFUSED' }),
    );
    expect(await testLedger.store.count('ledger-topic', P)).toBe(0);
  });

  it('is asked during a trial as well, and told so, but owed nothing', async () => {
    const trials: boolean[] = [];
    const externalLedger = new MemoryLedger();
    externalLedger.check = (_effect, { trial } = { trial: false }) => (trials.push(trial), Promise.resolve());
    for (const status of ['DRAFT', 'DRY-RUN', 'DEMO', 'PUBLISH'] as const) {
      const testLedger = await openBook({ externalLedger, status });
      await testLedger.unit((ledger) => ledger.mint(CREDIT, ALICE, 5n));
      expect(await testLedger.store.count('settlement', 'instance')).toBe(status === 'PUBLISH' ? 1 : 0);
    }
    expect(trials).toEqual([true, true, true, false]);
  });
});

describe('a part of a run that is taken back', () => {
  it('leaves nothing in the book, and its keys are free for what follows', async () => {
    const { store, clock, ids } = await openBook();
    const unit = await UnitOfWork.begin(store, [revisionKeys.policy.of(P)]);
    const effects: never[] = [];
    const policy = { id: P, status: 'PUBLISH', topics: [], messageId: '' } as const;
    const ledger = new PolicyLedgerWriter(unit, {
      policy,
      user: { did: 'd' },
      unitKey: 'k',
      effects,
      clock,
      ids,
      externalLedger: null,
    });
    await ledger.mint(CREDIT, ALICE, 1n);
    const point = unit.savepoint();
    const first = await ledger.publish({ topic: 'root', type: 'vc-document', owner: 'd' });
    unit.rollBack(point);
    effects.length = 1;
    expect((await ledger.publish({ topic: 'root', type: 'vc-document', owner: 'd' })).id).toBe(first.id);
    expect((await unit.find('ledger-effect', P)).map(({ id }) => id)).toEqual(['k/0', 'k/1', 'k/2']);
  });
});
