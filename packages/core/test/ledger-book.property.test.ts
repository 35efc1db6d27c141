/** The book against a simple model: whatever is done to it, in whatever units of work, both say the same. */
import { isBlockworkError, MemoryLedger } from '@blockwork/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PolicyLedgerWriter } from '../src/context/index.js';
import { CREDIT, DEED, openBook, P, TestBook } from './ledger-book.js';

const accounts = ['0.0.11', '0.0.12'];
const tokens = [CREDIT, DEED];

interface ModelAccount {
  associated: boolean;
  frozen: boolean;
  revoked: boolean;
  granted: boolean;
  serials: number[];
  balance: bigint;
}

/** Balances and flags by token and account; for the deed, the serials as well. */
class Model {
  readonly at = new Map<string, ModelAccount>();
  readonly lastSerial = new Map<string, number>();

  of(token: string, account: string): ModelAccount {
    const key = `${token} ${account}`;
    const modelAccount = this.at.get(key);
    if (modelAccount !== undefined) return modelAccount;
    const newAccount = { associated: false, frozen: false, revoked: false, granted: false, serials: [], balance: 0n };
    this.at.set(key, newAccount);
    return newAccount;
  }
  copy(): Model {
    const copy = new Model();
    for (const [key, value] of this.at) copy.at.set(key, structuredClone(value));
    for (const [key, value] of this.lastSerial) copy.lastSerial.set(key, value);
    return copy;
  }
}

type Step =
  | { type: 'mint' | 'wipe'; token: string; account: string; units: bigint }
  | { type: 'transfer'; token: string; account: string; to: string; units: bigint }
  | {
      type: 'associate' | 'dissociate' | 'freeze' | 'unfreeze' | 'grantKyc' | 'revokeKyc';
      token: string;
      account: string;
    };

/** Whether the model allows the step, which is then done. */
function step(model: Model, s: Step): boolean {
  const mine = model.of(s.token, s.account);
  const take = (from: ModelAccount, units: bigint): number[] => {
    from.balance -= units;
    return s.token === DEED ? from.serials.splice(0, Number(units)) : [];
  };
  const give = (to: ModelAccount, units: bigint, serials: number[]): void => {
    to.associated = true;
    to.balance += units;
    to.serials = [...to.serials, ...serials].sort((a, b) => a - b);
  };
  switch (s.type) {
    case 'mint': {
      if (mine.frozen || mine.revoked || s.units < 0n) return false;
      const last = model.lastSerial.get(s.token) ?? 0;
      const serials = s.token === DEED ? Array.from({ length: Number(s.units) }, (_, n) => last + 1 + n) : [];
      model.lastSerial.set(s.token, last + serials.length);
      give(mine, s.units, serials);
      return true;
    }
    case 'wipe':
      if (s.units < 0n || s.units > mine.balance) return false;
      take(mine, s.units);
      return true;
    case 'transfer': {
      const other = model.of(s.token, s.to);
      const barred = [mine, other].some(({ frozen, revoked }) => frozen || revoked);
      if (barred || s.to === s.account || s.units < 0n || s.units > mine.balance) return false;
      give(other, s.units, take(mine, s.units));
      return true;
    }
    case 'associate':
      mine.associated = true;
      return true;
    case 'dissociate':
      if (mine.associated && (mine.frozen || mine.balance > 0n)) return false;
      mine.associated = false;
      return true;
    case 'freeze':
      if (!mine.associated) return false;
      mine.frozen = true;
      return true;
    case 'unfreeze':
      mine.frozen = false;
      return true;
    case 'grantKyc':
      if (!mine.associated && !mine.granted) return false;
      Object.assign(mine, { granted: true, revoked: false });
      return true;
    case 'revokeKyc':
      if (!mine.associated && !mine.revoked) return false;
      Object.assign(mine, { granted: false, revoked: true });
      return true;
  }
}

/** Whether the book allows the step. */
async function done(ledger: PolicyLedgerWriter, s: Step): Promise<boolean> {
  try {
    if (s.type === 'transfer') await ledger.transfer(s.token, s.account, s.to, s.units);
    else if (s.type === 'mint' || s.type === 'wipe') await ledger[s.type](s.token, s.account, s.units);
    else await ledger[s.type](s.token, s.account);
    return true;
  } catch (error) {
    if (isBlockworkError(error, 'LEDGER_REFUSED')) return false;
    throw error;
  }
}

const token = fc.constantFrom(...tokens);
const account = fc.constantFrom(...accounts);
const units = fc.bigInt({ min: -1n, max: 6n });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('mint' as const), token, account, units }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('wipe' as const), token, account, units }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('transfer' as const), token, account, to: account, units }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom('associate', 'dissociate', 'freeze', 'unfreeze', 'grantKyc', 'revokeKyc'),
      token,
      account,
    }),
  },
);

/** Some steps in one unit of work, which may fail in the end; before it, the program may have been started again. */
const anyUnit = fc.record({
  steps: fc.array(anyStep, { maxLength: 12, size: 'max' }),
  fails: fc.boolean(),
  restart: fc.boolean(),
});

it('agrees with the model: supply is the sum of balances, refusals and failed units change nothing, effects tell it all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyUnit, { maxLength: 6, size: 'max' }), async (units) => {
      let testLedger = await openBook();
      let model = new Model();
      for (const { steps, fails, restart } of units) {
        if (restart) testLedger = new TestBook(testLedger.store);
        const after = model.copy();
        const unit = testLedger.unit(async (ledger) => {
          for (const s of steps) expect([s, await done(ledger, s)]).toEqual([s, step(after, s)]);
          if (fails) throw new Error('the unit fails');
        });
        if (fails) await expect(unit).rejects.toThrow('the unit fails');
        else await unit;
        if (!fails) model = after;
        await compare(testLedger, model);
      }
      await compareReplayed(testLedger, model);
    }),
    { numRuns: 80 },
  );
});

async function compare({ reader, store }: TestBook, model: Model): Promise<void> {
  const lots = await store.find('ledger-lot', P);
  for (const tokenId of tokens) {
    let supply = 0n;
    for (const accountId of accounts) {
      const { associated, frozen, revoked, granted, balance, serials } = model.of(tokenId, accountId);
      const kyc = revoked ? 'revoked' : granted ? 'granted' : 'unset';
      const expected = { associated, frozen, kyc, balance: balance.toString() };
      expect(await reader.relation(tokenId, accountId)).toMatchObject(expected);
      const own = lots.filter((lot) => lot.tokenId === tokenId && lot.accountId === accountId);
      expect(serialsIn(own.map(({ first, last }) => [first, last]))).toEqual(serials);
      supply += balance;
    }
    const lastSerial = model.lastSerial.get(tokenId) ?? 0;
    expect(await reader.token(tokenId)).toMatchObject({ supply: supply.toString(), lastSerial });
  }
}

/** A ledger that has heard of nothing but the effects. */
async function compareReplayed(testLedger: TestBook, model: Model): Promise<void> {
  const ledger = new MemoryLedger();
  const holders = new Map<string, string>();
  const { items } = await testLedger.ledger.listEffects(P);
  for (const effect of items) {
    await ledger.settle(effect);
    for (const serial of serialsIn(effect.serials ?? [])) {
      const key = `${effect.tokenId ?? ''}/${String(serial)}`;
      if (effect.type === 'wipe') holders.delete(key);
      else holders.set(key, effect.accountId ?? '');
    }
  }
  expect(ledger.settled).toHaveLength(items.length);
  for (const tokenId of tokens) {
    for (const accountId of accounts) {
      const { balance, serials } = model.of(tokenId, accountId);
      expect(ledger.balance(tokenId, accountId)).toBe(balance);
      for (const serial of serials) expect(holders.get(`${tokenId}/${String(serial)}`)).toBe(accountId);
    }
  }
}

const serialsIn = (ranges: readonly (readonly [number, number])[]): number[] =>
  ranges
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at))
    .sort((a, b) => a - b);
