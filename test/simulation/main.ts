/** The program behind `npm run simulate`: simulates seeds, and tells the story of one that fails. */
import { parseArgs } from 'node:util';
import type { InstanceShape } from './instance.js';
import { portPlants, Plants } from './plants/plants.js';
import { shrink } from './shrink.js';
import { simulate, type Outcome } from './world.js';

/** Lines of a story that is not made shorter. */
const LAST_LINES = 60;

const options = {
  seed: { type: 'string', default: '1' },
  steps: { type: 'string' },
  hours: { type: 'string' },
  shrink: { type: 'boolean', default: false },
  plant: { type: 'string' },
  story: { type: 'boolean', default: false },
} as const;

function number(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new Error(`--${name} must be a number, not "${text}".`);
}

const shapeOf = ({ name, store, nodes, replication, isCoordinated }: InstanceShape): string =>
  store === 'files'
    ? `${name} on files`
    : `${name} with ${nodes} ${nodes === 1 ? 'node' : 'nodes'}, ${replication === 'none' ? 'no' : replication} standby${isCoordinated ? '' : ', without leases'}`;

function summaryOf(seed: number, { steps, hours, operations, faults, hash, shapes }: Outcome): string {
  const struck = [...faults.values()].reduce((sum, count) => sum + count, 0);
  const counts = `${steps} steps, ${hours.toFixed(1)} hours, ${operations} operations, ${struck} faults`;
  return `Seed ${seed}: ${counts}, trace ${hash} (${shapes.map(shapeOf).join('; ')}).`;
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options });
  const plants = new Plants(values.plant === undefined ? [] : [values.plant]);
  if (values.plant !== undefined && !Object.hasOwn(portPlants, values.plant))
    throw new Error(`There is no plant "${values.plant}": see docs/simulator.md.`);
  const hours = values.hours === undefined ? 0 : number('hours', values.hours);
  // Several seeds see more kinds of instances than a long one.
  const steps = number('steps', values.steps ?? (hours > 0 ? '20000' : '100000'));
  const since = process.hrtime.bigint();
  let simulated = 0;
  for (let seed = number('seed', values.seed); ; seed += 1) {
    const outcome = await simulate({ seed, steps, plants });
    simulated += outcome.hours;
    console.log(summaryOf(seed, outcome));
    if (outcome.problem !== null) {
      await tell(seed, outcome, { steps, plants, isShort: values.shrink });
      process.exitCode = 1;
      return;
    }
    if (values.story) console.log(outcome.story.join('\n'));
    if (simulated >= hours) break;
  }
  const seconds = Number(process.hrtime.bigint() - since) / 1e9;
  const { user, system } = process.cpuUsage();
  const took = `${seconds.toFixed(0)} seconds (${((user + system) / 1e6).toFixed(0)} of the processor)`;
  console.log(`${simulated.toFixed(0)} simulated hours in ${took}, and nothing was wrong.`);
}

interface Telling {
  readonly steps: number;
  readonly plants: Plants;
  readonly isShort: boolean;
}

async function tell(seed: number, failed: Outcome, { steps, plants, isShort }: Telling): Promise<void> {
  if (isShort) {
    const { outcome, left, actions } = await shrink({ seed, steps, plants }, failed);
    console.log(`\nThe same promise is broken with ${left} of ${actions} actions:\n\n${outcome.story.join('\n')}`);
  } else {
    console.log(`\n${failed.story.slice(-LAST_LINES).join('\n')}\n\nWith --shrink, the story becomes shorter.`);
  }
}

await run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
