/** The approval on bpmn-engine, with its states in SQLite. What makes it durable and exactly once is written here by hand. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Engine } from 'bpmn-engine';

const roleOf = (step) => (step === 10 ? 'registry' : 'reviewer');
const steps = [2, 3, 4, 5, 6, 7, 8, 9, 10];

const source = `<?xml version="1.0" encoding="UTF-8"?>
<definitions id="approval" xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="http://bpmn.io/schema/bpmn">
  <process id="process" isExecutable="true">
    <startEvent id="step_1" />
    ${steps.map((step) => `<userTask id="step_${step}" />`).join('\n    ')}
    <endEvent id="end" />
    ${steps.map((step) => `<sequenceFlow id="to_${step}" sourceRef="step_${step - 1}" targetRef="step_${step}" />`).join('\n    ')}
    <sequenceFlow id="to_end" sourceRef="step_10" targetRef="end" />
  </process>
</definitions>`;

export async function open({ folder }) {
  const database = new DatabaseSync(join(folder, 'approval.sqlite'));
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table if not exists flow (id text primary key, applicant text not null, state text not null, step integer not null);
    create table if not exists certificate (flow text not null);
  `);
  const select = database.prepare('select state, step from flow where id = ?');
  const insert = database.prepare(
    'insert into flow (id, applicant, state, step) values (?, ?, ?, 1) on conflict do nothing',
  );
  const update = database.prepare('update flow set state = ?, step = ? where id = ?');
  const certify = database.prepare('insert into certificate (flow) values (?)');
  const count = database.prepare('select count(*) as n from certificate where flow = ?');
  /** Those that run in this process; the others go on from their stored state. */
  const running = new Map();

  async function executionOf(flow) {
    const execution = running.get(flow);
    if (execution !== undefined) return execution;
    const row = select.get(flow);
    if (row === undefined) throw new Error(`There is no flow "${flow}".`);
    const resumed = await new Engine({ name: flow }).recover(JSON.parse(row.state)).resume();
    running.set(flow, resumed);
    return resumed;
  }

  return {
    async apply(flow) {
      if (select.get(flow) !== undefined) return;
      const execution = await new Engine({ name: flow, source }).execute();
      insert.run(flow, flow, JSON.stringify(execution.getState()));
      running.set(flow, execution);
    },
    async approve(flow, step, role = roleOf(step)) {
      const execution = await executionOf(flow);
      const task = execution.getPostponed().find(({ id }) => id === `step_${step}`);
      if (task === undefined || role !== roleOf(step))
        throw new Error(`Flow "${flow}" does not wait for step ${step}.`);
      task.signal();
      database.exec('begin immediate');
      try {
        update.run(JSON.stringify(execution.getState()), step, flow);
        if (step === 10) certify.run(flow);
        database.exec('commit');
        if (step === 10) running.delete(flow);
      } catch (error) {
        database.exec('rollback');
        // It is ahead of what is stored.
        running.delete(flow);
        throw error;
      }
    },
    async state(flow) {
      return { step: select.get(flow)?.step ?? 0, certificates: count.get(flow).n };
    },
    close: async () => database.close(),
  };
}
