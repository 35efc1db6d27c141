/** The approval on DBOS: a workflow that waits for a message before each step. */
import { DBOS } from '@dbos-inc/dbos-sdk';
import pg from 'pg';

const roleOf = (step) => (step === 10 ? 'registry' : 'reviewer');
const DAY = 24 * 3600;

export async function open({ database }) {
  const rows = new pg.Pool({ connectionString: database });
  await rows.query('create table if not exists certificate (flow text primary key)');

  async function approval(flow) {
    await DBOS.setEvent('step_1', true);
    for (let step = 2; step <= 10; step += 1) {
      let message;
      do message = await DBOS.recv('approval', { timeoutSeconds: DAY });
      while (message?.step !== step || message.role !== roleOf(step));
      if (step === 10) await DBOS.runStep(() => certify(flow), { name: 'certify' });
      await DBOS.setEvent(`step_${step}`, true);
    }
  }
  /** A step may run again after a crash, so its row has a key. */
  const certify = async (flow) => {
    await rows.query('insert into certificate (flow) values ($1) on conflict do nothing', [flow]);
  };
  const workflow = DBOS.registerWorkflow(approval, { name: 'approval' });
  DBOS.setConfig({ name: 'approval', systemDatabaseUrl: database, logLevel: 'error', applicationVersion: '1' });
  await DBOS.launch();

  const isDone = (flow, step, timeoutSeconds) => DBOS.getEvent(flow, `step_${step}`, { timeoutSeconds });
  return {
    async apply(flow) {
      await DBOS.startWorkflow(workflow, { workflowID: flow })(flow);
      await isDone(flow, 1, DAY);
    },
    async approve(flow, step, role = roleOf(step)) {
      await DBOS.send(flow, { step, role }, 'approval');
      await isDone(flow, step, DAY);
    },
    async state(flow) {
      let step = 0;
      while (step < 10 && (await isDone(flow, step + 1, 0))) step += 1;
      const { rowCount } = await rows.query('select from certificate where flow = $1', [flow]);
      return { step, certificates: rowCount };
    },
    async close() {
      await DBOS.shutdown();
      await rows.end();
    },
  };
}
