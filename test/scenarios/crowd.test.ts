/** Many users at once in one policy, over HTTP: every chain is whole, every count exact, and grids say what the journal says. */
import type { ScenarioAccess } from '@blockwork/explorer';
import { policyBench, type PolicyBench } from '@blockwork/testing';
import type { JsonObject } from '@blockwork/core';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { overHttp } from './support/http-access.js';
import { times } from '../support/repetitions.js';

/** Each read of a grid grows with the reports of all. */
const USERS = times(20, 50, 200);
const REPORTS = 2;

const policy = JSON.parse(
  readFileSync(new URL('../../examples/test-a-policy/sunlight.policy.json', import.meta.url), 'utf8'),
) as object;

/** Kilowatt hours of a user's report: another number for each, with two decimals. */
const hours = (user: number, report: number): number => (user * REPORTS + report + 1) / 100;

class Crowd {
  constructor(
    readonly bench: PolicyBench,
    readonly access: ScenarioAccess,
  ) {}

  async produce(user: number): Promise<void> {
    const session = this.bench.as(`user-${user}`);
    await this.access.send(session, 'choose_role', { role: 'Producer' });
    for (let report = 0; report < REPORTS; report += 1) {
      const document = { site: `Site ${user}`, kilowattHours: hours(user, report) };
      await this.access.send(session, 'report', { document, ref: null });
      expect(await this.rows('my_reports', session)).toHaveLength(report + 1);
    }
  }

  /** Approves whatever waits, until everything is decided. */
  async decide(): Promise<void> {
    for (let decided = 0; decided < USERS * REPORTS;) {
      const reports = (await this.rows('all_reports')).filter(
        (row) => (row['option'] as JsonObject)['status'] === 'Waiting',
      );
      for (const document of reports) await this.access.send(this.bench.owner, 'decide', { tag: 'Approve', document });
      decided += reports.length;
      await pause(100);
    }
  }

  /** What the journal says before and after a read of the grid are the bounds of what the grid may show. */
  async observe(isDone: () => boolean): Promise<number> {
    let looks = 0;
    while (!isDone()) {
      const before = await this.reported();
      const shown = (await this.rows('all_reports')).length;
      const after = await this.reported();
      expect(shown).toBeGreaterThanOrEqual(before);
      expect(shown).toBeLessThanOrEqual(after);
      looks += 1;
      await pause(200);
    }
    return looks;
  }

  async rows(tag: string, session = this.bench.owner): Promise<JsonObject[]> {
    return ((await this.access.read(session, tag)) as { data: JsonObject[] }).data;
  }

  /** Reports that were added, by the journal. */
  async reported(): Promise<number> {
    const entries = await this.bench.journal();
    const reports = entries.filter(({ cause }) => cause.type === 'send' && cause.tag === 'report');
    return reports.reduce((count, { documents }) => count + documents.added.length, 0);
  }
}

it(
  `${USERS} users at once: nothing is lost, nothing is doubled, nobody waits for ever`,
  { timeout: 600_000 },
  async () => {
    const bench = policyBench(policy, { status: 'published' });
    const access = await overHttp(bench);
    const crowd = new Crowd(bench, access);

    let isDone = false;
    const looks = crowd.observe(() => isDone);
    await Promise.all([crowd.decide(), ...Array.from({ length: USERS }, (_, user) => crowd.produce(user))]);
    isDone = true;
    expect(await looks).toBeGreaterThan(0);

    const count = USERS * REPORTS;
    const journal = await bench.journal();
    const entriesOf = (tag: string) => journal.filter(({ cause }) => cause.type === 'send' && cause.tag === tag);
    expect(entriesOf('choose_role')).toHaveLength(USERS);
    expect(entriesOf('report')).toHaveLength(count);
    expect(entriesOf('decide')).toHaveLength(count);
    for (const { events } of entriesOf('decide')) {
      const runs = events.filter(({ input }) => input === 'RunEvent');
      expect(runs.map(({ target }) => target)).toEqual(['save_approved', 'mint']);
    }
    const ids = journal.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);

    expect(await crowd.rows('all_reports')).toHaveLength(count);
    expect(await crowd.reported()).toBe(count);
    expect(await bench.documents({ type: 'report', 'option.status': 'Approved' })).toHaveLength(count);
    expect(await bench.documents({ type: 'mint', dataType: 'vc-documents' })).toHaveLength(count);
    expect(await bench.documents({ type: 'mint', dataType: 'vp-documents' })).toHaveLength(count);

    const expected: Record<string, bigint> = {};
    for (let user = 0; user < USERS; user += 1) {
      const units = Array.from({ length: REPORTS }, (_, report) => Math.round(hours(user, report) * 100));
      expected[await bench.as(`user-${user}`).account()] = BigInt(units.reduce((sum, each) => sum + each));
    }
    const minted = await bench.minted('SUN');
    expect(minted.mints).toBe(count);
    expect(minted.units).toBe(BigInt((count * (count + 1)) / 2));
    expect(minted.accounts).toEqual(expected);

    await access.close();
    await bench.close();
  },
);
