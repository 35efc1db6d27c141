import { describe, expect, it } from 'vitest';
import { describeFailures, openScenarioWorld, runScenario, type ScenarioReport } from '../src/index.js';
import { meadow, READING } from './support/meadow.js';

const send = (as: string, tag: string, body: unknown, more: object = {}) => ({
  as,
  method: 'POST',
  tag,
  body,
  ...more,
});
const get = (as: string, tag: string, more: object = {}) => ({ as, method: 'GET', tag, ...more });
const choose = send('alice', 'choose_role', { role: 'Keeper' });
const note = (value: unknown, more: object = {}) => send('alice', 'form', { document: { value }, ref: null }, more);
const reading = (proof: string, more: object = {}) => ({
  as: 'system',
  method: 'EXTERNAL',
  tag: 'meter',
  proof,
  body: {
    owner: '${users.alice.did}',
    document: { id: 'urn:uuid:1', issuer: '${users.alice.did}', credentialSubject: [{ type: READING, value: 2 }] },
  },
  ...more,
});

async function ran(...steps: object[]): Promise<ScenarioReport> {
  const world = await openScenarioWorld(meadow);
  const report = await runScenario(
    steps.map((step, at) => ({ n: at + 1, ...step })),
    world,
  );
  await world.close();
  return report;
}

const paths = async (...steps: object[]): Promise<string[]> => (await ran(...steps)).failures.map(({ path }) => path);

describe('a scenario', () => {
  it('reports nothing where everything is as expected', async () => {
    const report = await ran(
      get('alice', 'form', { expect: { available: false } }),
      choose,
      note(1, { expect: { world: { vc: { 'note|-': 1, 'user-role|-': 1 } } } }),
      note('much', { expect: { error: 'number' } }),
      get('owner', 'notes', { save: { first: { path: 'data.0.id' } }, expect: { count: 1 } }),
      get('owner', 'notes', { expect: { rows: [{ id: '${first}', owner: '${users.alice.did}' }] } }),
      reading('valid'),
      reading('invalid', { expect: { error: 'signature' } }),
      { as: 'system', method: 'FAULT', tag: 'mint' },
      { as: 'system', method: 'TICK', tag: 'daily', expect: { error: 'refuse' } },
      {
        as: 'system',
        method: 'TICK',
        tag: 'daily',
        expect: {
          world: {
            vp: { mint: 1 },
            minted: [
              { tokenId: '0.0.77', mints: 1, units: 20, amounts: ['2.0'], accounts: { '${users.alice.account}': 20 } },
            ],
          },
        },
      },
    );
    expect(describeFailures('meadow', report)).toBe('');
    expect(report.steps).toBe(11);
  });

  it.each<[string, string, object[]]>([
    ['a refusal that nobody expects', 'answer', [note(1)]],
    ['an answer where a refusal is expected', 'error', [{ ...choose, expect: { error: '.' } }]],
    ['a refusal for another reason', 'error', [choose, note('much', { expect: { error: 'too late' } })]],
    ['a block that is open', 'available', [{ ...choose, expect: { available: false } }]],
    [
      'a block that is closed for another reason',
      'available',
      [choose, note('much', { expect: { available: false } })],
    ],
    ['a failure that did not happen', 'blockErrors', [{ ...choose, expect: { blockErrors: ['mint'] } }]],
    ['a row that is not there', 'save/x', [get('owner', 'notes', { save: { x: { where: { type: 'note' } } } })]],
    ['a part that is not there', 'save/x', [get('owner', 'notes', { save: { x: { path: 'data.0' } } })]],
    ['what nothing has saved', '${x.id}', [get('owner', 'notes', { expect: { has: { a: '${x.id}' } } })]],
    ['another count', 'count', [get('owner', 'notes', { expect: { count: 1 } })]],
    ['documents that are not there', 'world/vc/note|-', [{ ...choose, expect: { world: { vc: { 'note|-': 1 } } } }]],
    ['presentations that are not there', 'world/vp/mint', [{ ...choose, expect: { world: { vp: { mint: 1 } } } }]],
    [
      'what was not minted',
      'world/minted/0.0.77/units',
      [{ ...choose, expect: { world: { minted: [{ tokenId: '0.0.77', units: 1 }] } } }],
    ],
    ['a step that is none', 'step/alice@root', [{ ...choose, expect: { step: { 'alice@root': 'notes' } } }]],
    ['a proof that verifies', 'error', [choose, reading('valid', { expect: { error: '.' } })]],
    ['a proof that does not verify', 'answer', [choose, reading('invalid')]],
  ])('reports %s', async (_, path, steps) => {
    expect(await paths(...steps)).toContain(path);
  });

  it('says where, what was expected, and what it got', async () => {
    const report = await ran(get('owner', 'notes', { expect: { count: 3 } }));
    expect(describeFailures('meadow', report)).toBe('meadow, step 1, notes, count: expected 3, got 0');
  });

  it('goes on after a failure', async () => {
    expect(await paths(get('owner', 'notes', { expect: { count: 3 } }), choose, note(1))).toEqual(['count']);
  });
});
