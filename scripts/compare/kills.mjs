/** Kills a process of an engine again and again, and looks at what became of its flows when the next one has opened. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const CLIENTS = 8;
const STEPS = 10;
/** A kill comes after so many acknowledged steps at most. */
const MOST_STEPS = 120;

/** Resolves to the number of flows that were looked at, and those that were lost, doubled or could not be finished. */
export async function killed({ command, task, times, random }) {
  const outcomes = [];
  let flows = [];
  for (let run = 0; run <= times; run += 1) {
    const isLast = run === times;
    const stopAfter = 1 + Math.floor(random() * MOST_STEPS);
    const next = { ...task, name: 'crash', flows, prefix: `kill-${run}`, clients: isLast ? 0 : CLIENTS };
    const { after, acknowledged } = await untilKilled(command, next, isLast ? Infinity : stopAfter);
    if (after.length !== flows.length) throw new Error(`Of ${flows.length} flows, ${after.length} were looked at.`);
    outcomes.push(...after);
    flows = openFlows(acknowledged);
  }
  const count = (has) => outcomes.filter(has).length;
  return {
    flows: outcomes.length,
    lost: count(({ isLost }) => isLost),
    doubled: count(({ isDoubled }) => isDoubled),
    unfinished: count(({ isUnfinished }) => isUnfinished),
    errors: [...new Set(outcomes.flatMap(({ error }) => error ?? []))],
  };
}

/**
 * The flows of a killed process with their last acknowledged step. The next step of each may have been under way; so may
 * have been the first step of a client's next flow, which is asked for again under the same id.
 */
function openFlows(acknowledged) {
  const flows = new Map();
  for (const [flow, step] of acknowledged) {
    flows.set(flow, step);
    const [, client, number] = /^(.*-)(\d+)$/.exec(flow);
    if (step === STEPS) flows.set(`${client}${Number(number) + 1}`, 0);
  }
  return [...flows];
}

async function untilKilled([program, ...args], task, stopAfter) {
  const child = spawn(program, [...args, JSON.stringify(task)], {
    cwd: task.home,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (printed += text));
  const closed = once(child, 'close');
  const after = [];
  const acknowledged = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const result = JSON.parse(line);
    if (result.after !== undefined) after.push(result.after);
    if (result.acknowledged !== undefined) acknowledged.push(result.acknowledged);
    if (acknowledged.length === stopAfter) child.kill('SIGKILL');
  }
  const [code, signal] = await closed;
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`${task.file} ended with ${code ?? signal}:\n${printed}`);
  return { after, acknowledged };
}
