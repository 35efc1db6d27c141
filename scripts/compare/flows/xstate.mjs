/** The approval on XState, with its snapshots in SQLite. What makes it durable and exactly once is written here by hand. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createMachine, initialTransition, transition } from 'xstate';

const roleOf = (step) => (step === 10 ? 'registry' : 'reviewer');

const waiting = (step) => ({
  on: { [`APPROVE_${step}`]: { guard: ({ event }) => event.role === roleOf(step), target: `step_${step}` } },
});
const states = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => [`step_${step}`, waiting(step + 1)]));
const machine = createMachine({ initial: 'step_1', states: { ...states, step_10: { type: 'final' } } });

export async function open({ folder }) {
  const database = new DatabaseSync(join(folder, 'approval.sqlite'));
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table if not exists flow (id text primary key, applicant text not null, snapshot text not null);
    create table if not exists certificate (flow text not null);
  `);
  const select = database.prepare('select snapshot from flow where id = ?');
  const insert = database.prepare('insert into flow (id, applicant, snapshot) values (?, ?, ?) on conflict do nothing');
  const update = database.prepare('update flow set snapshot = ? where id = ?');
  const certify = database.prepare('insert into certificate (flow) values (?)');
  const count = database.prepare('select count(*) as n from certificate where flow = ?');

  const snapshotOf = (flow) => {
    const row = select.get(flow);
    return row && machine.resolveState(JSON.parse(row.snapshot));
  };

  return {
    async apply(flow) {
      const [snapshot] = initialTransition(machine);
      insert.run(flow, flow, JSON.stringify(snapshot));
    },
    async approve(flow, step, role = roleOf(step)) {
      database.exec('begin immediate');
      try {
        const event = { type: `APPROVE_${step}`, role };
        const before = snapshotOf(flow);
        if (!before.can(event)) throw new Error(`Flow "${flow}" does not wait for step ${step}.`);
        const [after] = transition(machine, before, event);
        update.run(JSON.stringify(after), flow);
        if (after.status === 'done') certify.run(flow);
        database.exec('commit');
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },
    async state(flow) {
      const step = Number(snapshotOf(flow)?.value.slice('step_'.length) ?? 0);
      return { step, certificates: count.get(flow).n };
    },
    close: async () => database.close(),
  };
}
