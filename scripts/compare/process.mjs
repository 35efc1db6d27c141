/**
 * One process of a comparison: opens an engine's approval and does one task with it. It is copied beside what a user would
 * write, and run there. Its argument is the task as JSON; it prints one line of JSON for each result.
 */
import { writeSync } from 'node:fs';

const STEPS = 10;
const task = JSON.parse(process.argv[2]);
const { open } = await import(task.file);
const approval = await open(task);

/** Written at once: what is killed later has said it. */
const print = (line) => writeSync(1, `${JSON.stringify(line)}\n`);

/** Plays steps of one flow; `done` hears of each that was acknowledged. */
async function play(flow, from, done) {
  for (let step = from; step <= STEPS; step += 1) {
    const began = performance.now();
    await (step === 1 ? approval.apply(flow) : approval.approve(flow, step));
    done(step, performance.now() - began);
  }
}

/** Clients that each play one flow after another, until the time is over. */
async function load({ prefix, clients, milliseconds }, done) {
  const end = performance.now() + milliseconds;
  const client = async (_, number) => {
    for (let flow = 0; performance.now() < end; flow += 1) {
      const id = `${prefix}-${number}-${flow}`;
      await play(id, 1, (step, took) => done(id, step, took));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

const tasks = {
  /** The first answer of a process that finds a store with flows in it. */
  async start({ flow }) {
    await approval.state(flow);
    print({ milliseconds: performance.now() });
  },

  /** Steps a second, and how long each took. */
  async rate({ prefix, clients, milliseconds }) {
    await load({ prefix: `${prefix}-warm`, clients, milliseconds: milliseconds / 4 }, () => undefined);
    const took = [];
    const began = performance.now();
    await load({ prefix, clients, milliseconds }, (flow, step, each) => took.push(each));
    const seconds = (performance.now() - began) / 1000;
    took.sort((a, b) => a - b);
    const at = (share) => took[Math.floor(took.length * share)];
    print({ rate: took.length / seconds, middle: at(0.5), slow: at(0.99) });
  },

  /** First what became of the flows of a killed process, then flows until this one is killed. */
  async crash({ flows, prefix, clients }) {
    for (const [flow, acknowledged] of flows) print({ after: await outcomeOf(flow, acknowledged) });
    print({ resumed: true });
    if (clients > 0)
      await load({ prefix, clients, milliseconds: Infinity }, (flow, step) => print({ acknowledged: [flow, step] }));
  },
};

/** A client that got no answer asks again, and goes on when the step is done already. */
async function outcomeOf(flow, acknowledged) {
  const { step } = await approval.state(flow);
  const outcome = { flow, isLost: step < acknowledged, isDoubled: step > acknowledged + 1 };
  if (step === 0) await approval.apply(flow);
  try {
    await play(flow, Math.max(step, 1) + 1, () => undefined);
  } catch (error) {
    outcome.error = error.message;
  }
  const after = await approval.state(flow);
  return {
    ...outcome,
    isUnfinished: after.step !== STEPS || after.certificates === 0,
    isDoubled: outcome.isDoubled || after.certificates > 1,
  };
}

await tasks[task.name](task);
await approval.close();
