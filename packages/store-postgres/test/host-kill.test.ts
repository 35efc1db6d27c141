/** Programs that are killed while they commit rows of their own together with a policy's: both are there, or neither. */
import { createEngine, SeededKeys } from '@blockwork/core';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';
import { randomNumbers } from '../../../test/support/random-numbers.mjs';
import { times } from '../../../test/support/repetitions.js';
import { openPostgresStore } from '../src/index.js';
import { blocks, owner, policyNamed } from './support/cluster-policy.js';
import { runHostProgram, type Death } from './support/host-programs.js';
import { buildHostProgram } from './support/processes.js';

/** Two programs pay into each policy, so that they meet. */
const POLICIES = ['p', 'q'];
const PROGRAMS = 2;
const KILLS = times(8, 20, 1000);
const seed = Number(process.env['BLOCKWORK_SEED'] ?? 1);
const newFolder = temporaryFolders();

await describeWithDatabase('A program that is killed beside a send', (database) => {
  let program: string;
  beforeAll(async () => {
    program = await buildHostProgram(await newFolder());
    await database.query('create table bill (id integer primary key, policy text not null)');
    const store = await openPostgresStore({ address: database.address() });
    const engine = createEngine({ store, blocks, keys: new SeededKeys(Buffer.alloc(32, 7)) });
    for (const id of POLICIES) {
      await engine.importPolicy(owner, policyNamed(id));
      await engine.lifecycle.dryRun(owner, id);
    }
    await engine.close();
  });

  /** Bills without their payment, and payments without their bill, in one snapshot. */
  const alone = (): Promise<object[]> =>
    database.query(
      `with payment as (select (body::json -> 'document' ->> 'n')::int as id, partition as policy from blockwork.document where body::json ->> 'type' = 'payment')
 select b.id as bill, p.id as payment from bill b full join payment p using (id, policy) where b.id is null or p.id is null`,
    );

  it(
    `leaves both its row and the payment, or neither (${KILLS} kills, seed ${seed})`,
    { timeout: 3_600_000 },
    async () => {
      const random = randomNumbers(seed);
      const any = (count: number): number => Math.floor(random() * count);
      const moments = ['begun', 'written', 'answered'] as const;
      const newDeath = (): Death => ({
        payments: 1 + any(3),
        moment: moments[any(moments.length)] ?? 'written',
        turns: any(6),
      });
      let amount = 0;
      let kills = KILLS;
      const acknowledged: number[] = [];

      /** Runs one program after another. What the last one did not acknowledge is paid again, with the same key. */
      const line = async (policyId: string): Promise<void> => {
        let open: number[] = [];
        const run = async (death?: Death): Promise<void> => {
          const settings = { address: database.address(), policyId, payments: open, ...(death && { death }) };
          const paid = await runHostProgram(program, settings);
          acknowledged.push(...paid);
          open = open.filter((n) => !paid.includes(n));
        };
        while (kills > 0) {
          kills -= 1;
          while (open.length < 3) open.push((amount += 1));
          await run(newDeath());
          expect(await alone()).toEqual([]);
        }
        await run();
        expect(open).toEqual([]);
      };
      await Promise.all(POLICIES.flatMap((id) => Array.from({ length: PROGRAMS }, () => line(id))));
      expect(await alone()).toEqual([]);
      const bills = await database.query<{ id: number }>('select id from bill order by id');
      expect(bills.map(({ id }) => id)).toEqual(Array.from({ length: amount }, (_, at) => at + 1));
      expect(acknowledged.sort((x, y) => x - y)).toEqual(bills.map(({ id }) => id));
    },
  );
});
