/** Installs each engine as its users do, plays the same approval on it, kills it, and prints what came of it. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { build } from '../build.mjs';
import { nodeBinary, supportedNodes } from '../packages/nodes.mjs';
import { pack } from '../packages/pack.mjs';
import { publicPackages } from '../packages/workspace.mjs';
import { step, StepFailed } from '../run.mjs';
import { engines } from './engines.mjs';
import { killed } from './kills.mjs';
import { describe, writePage } from './page.mjs';
import { temporaryDatabase } from '../../test/bench/support/postgres-database.mjs';
import { randomNumbers } from '../../test/support/random-numbers.mjs';
import { workplaceOf } from './workplace.mjs';

const CLIENTS = 32;

export async function compare(args) {
  const { only, kills, rounds, seconds, write } = optionsOf(args);
  await build();
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-compare-'));
  const databases = [];
  try {
    const packages = await publicPackages();
    const needed = packages.filter(({ manifest }) => engines.some(({ ours }) => ours.includes(shortName(manifest))));
    const tarballs = await pack(needed, folder);
    // SQLite is part of Node from this line on: no engine needs a native package.
    const version = supportedNodes.at(-1);
    const node = await nodeBinary(version);
    const subjects = [];
    for (const engine of engines.filter(({ name }) => only === undefined || only.includes(name))) {
      const subject = await subjectOf(engine, { folder, tarballs, node, databases });
      if (subject !== undefined) subjects.push(subject);
    }
    for (let round = 0; round < rounds; round += 1) {
      // In turn, so that a change of the machine's speed meets all alike.
      for (const subject of subjects)
        await step(`Round ${round + 1}: ${subject.title}`, () => measure(subject, seconds));
    }
    for (const subject of subjects) {
      const run = { command: subject.command, task: subject.task, times: kills, random: randomNumbers(1) };
      await step(`${kills} kills: ${subject.title}`, async () => {
        subject.kills = await killed(run);
      });
    }
    const results = { subjects, kills, seconds, node: version };
    console.log(`\n${describe(results)}`);
    if (write) await writePage(results);
  } finally {
    for (const database of databases) await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

function optionsOf(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string', multiple: true },
        kills: { type: 'string', default: '100' },
        rounds: { type: 'string', default: '3' },
        seconds: { type: 'string', default: '4' },
        write: { type: 'boolean', default: false },
      },
    });
    const { kills, rounds, seconds } = values;
    return { ...values, kills: Number(kills), rounds: Number(rounds), seconds: Number(seconds) };
  } catch (error) {
    throw new StepFailed(
      `${error.message}\nnpm run compare -- [--only <engine>] [--kills <n>] [--rounds <n>] [--write]`,
    );
  }
}

const shortName = ({ name }) => name.replace('@blockwork/', '');

/** An engine that is installed and has a store; nothing where it needs a server that there is not. */
async function subjectOf(engine, { folder, tarballs, node, databases }) {
  const server = process.env.BLOCKWORK_TEST_POSTGRES;
  if (engine.storage === 'PostgreSQL' && server === undefined) {
    console.log(`${engine.title} skipped: BLOCKWORK_TEST_POSTGRES does not say where a server is.`);
    return undefined;
  }
  const home = join(folder, engine.name);
  let workplace;
  await step(`Installing ${engine.title}`, async () => {
    workplace = await workplaceOf(engine, home, tarballs);
  });
  const task = { home, file: `./${engine.files[0]}`, folder: 'store' };
  if (engine.storage === 'PostgreSQL') {
    const database = await temporaryDatabase(server);
    databases.push(database);
    task.database = database.address;
  }
  const command = [node, '--no-deprecation', 'process.mjs'];
  return { ...engine, ...workplace, task, command, rounds: [] };
}

async function measure(subject, seconds) {
  const prefix = `round-${subject.rounds.length}`;
  const milliseconds = seconds * 1000;
  const one = await ask(subject, { name: 'rate', prefix: `${prefix}-one`, clients: 1, milliseconds });
  const many = await ask(subject, { name: 'rate', prefix: `${prefix}-many`, clients: CLIENTS, milliseconds });
  const start = await ask(subject, { name: 'start', flow: `${prefix}-one-0-0` });
  subject.rounds.push({ one, many, start });
}

const execute = promisify(execFile);

async function ask({ command: [program, ...args], task }, question) {
  const { stdout } = await execute(program, [...args, JSON.stringify({ ...task, ...question })], { cwd: task.home });
  return JSON.parse(stdout.trim().split('\n').at(-1));
}
