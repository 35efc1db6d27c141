/** The test of a new project: a scenario for its policy. */

const row = { $row: 'report', set: { 'option.status': 'Approved' } };

export const templateScenario: readonly object[] = [
  { n: 1, as: 'alice', method: 'POST', tag: 'choose_role', body: { role: 'Producer' } },
  {
    n: 2,
    as: 'alice',
    method: 'POST',
    tag: 'report',
    body: { document: { site: 'Roof', kilowattHours: 'much' }, ref: null },
    expect: { error: 'number' },
  },
  {
    n: 3,
    as: 'alice',
    method: 'POST',
    tag: 'report',
    body: { document: { site: 'Roof', kilowattHours: 12.5 }, ref: null },
    expect: { world: { vc: { 'report|Waiting': 1 } } },
  },
  {
    n: 4,
    as: 'owner',
    method: 'GET',
    tag: 'all_reports',
    save: { report: { where: { 'option.status': 'Waiting' } } },
    expect: { count: 1 },
  },
  {
    n: 5,
    as: 'alice',
    method: 'POST',
    tag: 'decide',
    body: { tag: 'Approve', document: row },
    expect: { available: false },
  },
  {
    n: 6,
    as: 'owner',
    method: 'POST',
    tag: 'decide',
    body: { tag: 'Approve', document: row },
    expect: {
      world: { vc: { 'report|Approved': 1 }, minted: [{ tokenId: '0.0.5001', mints: 1, amounts: ['12.50'] }] },
    },
  },
];
