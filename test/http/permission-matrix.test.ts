/** Who may do what, asked and not derived: every operation as every kind of caller, for what is theirs and what is not. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { beforeAll, describe, expect, it } from 'vitest';
import { matrixPage, matrixRows, type CallerName, type Row } from './support/matrix/matrix-table.js';

const file = fileURLToPath(new URL('../../docs/permissions.md', import.meta.url));
const ofInstance = ['INSTANCE_OPERATE', 'ACCOUNTS_TOKEN_REVOKE'];

describe('who may do what', () => {
  let rows: Row[];
  beforeAll(async () => {
    rows = await matrixRows();
  }, 300_000);

  const succeeds = (row: Row, caller: CallerName, target: number): boolean =>
    row.answers[caller][target]?.startsWith('2') ?? false;
  const names = (of: readonly Row[]): string[] => of.map(({ name }) => name);

  it('is the page docs/permissions.md; `npm run matrix` writes it', async () => {
    const page = await format(matrixPage(rows), { ...(await resolveConfig(file)), filepath: file });
    if (process.env['BLOCKWORK_MATRIX'] === 'write') await writeFile(file, page);
    expect(page).toBe(await readFile(file, 'utf8'));
  });

  it('needs a token with a right to it, whatever it is', () => {
    for (const { name, answers } of rows) {
      for (const caller of ['no token', 'forged token'] as const) {
        expect(new Set(answers[caller].filter((each) => each !== '–')), name).toEqual(new Set(['401']));
      }
      expect(
        answers['no role'].every((each) => each === '403' || each === '–'),
        name,
      ).toBe(true);
    }
  });

  it('leaves the instance to its operators, and nothing of a policy', () => {
    const operation = rows.filter(({ route }) => ofInstance.includes(route.permission ?? ''));
    expect(operation.length).toBeGreaterThan(6);
    for (const { name, answers } of operation) {
      for (const [caller, answer] of Object.entries(answers)) {
        if (caller === 'OPERATOR') expect(answer[0], name).toMatch(/^2/);
        else expect(answer, `${name} by ${caller}`).toEqual([expect.stringMatching(/^40[13]$/)]);
      }
    }
  });

  it('shows a draft to its registry only, and lets nobody manage the policies of another', () => {
    const read = rows.filter(
      ({ route }) => route.permission !== 'POLICIES_POLICY_EXECUTE' && 'policyId' in route.params,
    );
    for (const caller of ['USER', 'member', 'other registry', 'AUDITOR', 'OPERATOR'] as const) {
      const shownRows = read.filter(
        (row) => row.route.orPermission !== 'POLICIES_POLICY_EXECUTE' && succeeds(row, caller, 1),
      );
      expect(names(shownRows), caller).toEqual([]);
    }
    const telling = rows.filter(({ route, answers }) => {
      const isOfBlocks = /\/(blocks|tag|external)/.test(route.path);
      return 'policyId' in route.params && !isOfBlocks && answers['other registry'][1] !== '–';
    });
    for (const { name, answers } of telling) expect(answers['other registry'][1], name).toBe('404');
    const managed = rows.filter(({ route }) => route.permission === 'POLICIES_POLICY_MANAGE');
    expect(names(managed.filter((row) => succeeds(row, 'registry', 2)))).toEqual([]);
    expect(names(managed.filter((row) => succeeds(row, 'other registry', 0)))).toEqual([]);
    expect(names(managed.filter((row) => !succeeds(row, 'registry', 0)))).toEqual([]);
  });
});
