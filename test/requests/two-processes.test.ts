import { newInstanceKey } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import type { PolicyStore, RemoteRequest } from '@blockwork/core';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildProgram, programEnv } from '../support/build-program.js';
import type { Death } from '../support/mortal-store.js';
import { natsServer, removeStream } from '../support/nats-server.js';
import { Random } from '../support/random.js';
import { times } from '../support/repetitions.js';

const server = await natsServer();
const CONVERSATIONS = times(80, 200, 2000);
/** Most of the time goes into starting the processes again. */
const KILLS = times(4, 8, 16);
const keys = { north: newInstanceKey(), south: newInstanceKey() };
type Name = keyof typeof keys;
const names = ['north', 'south'] as const;
const other = (name: Name): Name => (name === 'north' ? 'south' : 'north');

/** What a process says of itself, now and then. */
interface Report {
  readonly asked: number;
  readonly heard: number;
  readonly open: number;
  readonly unsent: number;
  readonly refused: Readonly<Record<string, number>>;
}

/** Processes one after the other on the same files: each is killed at the next of the chosen deaths, and the last one lives. */
class Lives {
  #child: ChildProcess;
  #deaths = 0;
  #report: Report | null = null;
  #isEnding = false;
  readonly refused = new Set<string>();

  constructor(
    private readonly program: string,
    private readonly settings: object,
    private readonly deaths: readonly Death[],
    private readonly onChange: (error?: Error) => void,
  ) {
    this.#child = this.#start();
  }

  /** Of the process that lives now. */
  get report(): Report | null {
    return this.#report;
  }

  get kills(): number {
    return this.#deaths;
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#isEnding = true;
    this.#child.send('end');
    await ended;
  }

  #start(): ChildProcess {
    const settings = { ...this.settings, death: this.deaths[this.#deaths] ?? null };
    const child = fork(this.program, [JSON.stringify(settings)], {
      env: programEnv,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('message', (report: Report) => {
      this.#report = report;
      for (const [reason, count] of Object.entries(report.refused)) if (count > 0) this.refused.add(reason);
      this.onChange();
    });
    child.once('exit', (code, signal) => {
      if (this.#isEnding) return;
      if (signal !== 'SIGKILL') {
        this.onChange(new Error(`A process ended with ${String(code ?? signal)}.`));
        return;
      }
      this.#report = null;
      this.#deaths += 1;
      this.#child = this.#start();
    });
    return child;
  }
}

/** Commits that a process makes at least: two for each conversation that it begins, one for each that it hears of. */
const COMMITS = (CONVERSATIONS / 2) * 3;

/** Together they come before the work of the process is done. */
function chooseDeaths(random: Random): Death[] {
  const most = Math.floor(COMMITS / (KILLS / 2));
  return Array.from({ length: KILLS / 2 }, () => ({
    commit: 1 + Math.floor(most / 4) + random.below(Math.floor((most * 3) / 4)),
    turns: 10 ** random.below(5),
  }));
}

describe(`two processes over NATS${'missing' in server ? ` (skipped: ${server.missing})` : ''}`, () => {
  it.skipIf('missing' in server)(
    'that are killed again and again carry out each conversation once, and agree on its end',
    { timeout: 600_000 },
    async () => {
      if ('missing' in server) return;
      const [folder, stream] = [await mkdtemp(join(tmpdir(), 'blockwork-two-')), `two-${randomUUID()}`];
      const program = await buildProgram(new URL('support/nats-instance.mjs', import.meta.url), folder);
      const random = new Random(7);
      const settings = (name: Name): object => ({
        name,
        peer: other(name),
        folder: join(folder, name),
        servers: server.address,
        stream,
        key: keys[name].privateKey,
        peerKey: keys[other(name)].publicKey,
        conversations: CONVERSATIONS / 2,
      });
      const processes = await new Promise<Lives[]>((resolve, reject) => {
        const lives: Lives[] = names.map(
          (name) =>
            new Lives(program, settings(name), chooseDeaths(random), (error) => {
              if (error !== undefined) reject(error);
              else if (lives.every(isDone)) resolve(lives);
            }),
        );
      });
      for (const each of processes) await each.end();
      expect(processes.map(({ kills }) => kills)).toEqual([KILLS / 2, KILLS / 2]);
      for (const { refused } of processes) expect([...refused].filter((reason) => reason !== 'replayed')).toEqual([]);
      await examine(folder);
      await rm(folder, { recursive: true });
      await removeStream(server.address, stream);
    },
  );
});

const isDone = ({ report }: Lives): boolean =>
  report?.asked === CONVERSATIONS / 2 && report.heard === CONVERSATIONS / 2 && report.open + report.unsent === 0;

/** On both sides: one row for each conversation, the same end, and as many effects as there must be. */
async function examine(folder: string): Promise<void> {
  const stores: Record<Name, PolicyStore> = {
    north: await openLowdbStore({ folder: join(folder, 'north') }),
    south: await openLowdbStore({ folder: join(folder, 'south') }),
  };
  for (const name of names) {
    const rows = await stores[name].find('request', INSTANCE);
    const outgoing = rows.filter(({ direction }) => direction === 'outgoing');
    const there = await stores[other(name)].find('request', INSTANCE);
    const votes = await documents(stores[other(name)], `votes-${other(name)}`, 'ballot');
    const answers = await documents(stores[name], `votes-${name}`, 'notebook');
    expect(outgoing).toHaveLength(CONVERSATIONS / 2);
    for (const row of outgoing) {
      const n = numberOf(row);
      const same = ({ startMessageId, direction }: RemoteRequest): boolean =>
        direction === 'incoming' && startMessageId === row.startMessageId;
      expect(there.filter(same).map(({ status }) => status)).toEqual([row.status]);
      expect(votes.filter((vote) => vote['n'] === n)).toHaveLength(row.status === 'COMPLETED' ? 1 : 0);
      const heard = answers.filter((answer) => answer['messageId'] === row.messageId);
      expect(heard.map((answer) => answer['status'])).toEqual([row.status]);
      expect(row.history.map(({ status }) => status)).toEqual(['NEW', row.status]);
    }
  }
  for (const name of names) await stores[name].close();
}

async function documents(store: PolicyStore, policyId: string, type: string): Promise<Record<string, unknown>[]> {
  const records = await store.find('document', policyId, { where: { path: 'type', op: 'eq', value: type } });
  return records.map(({ document }) => document as Record<string, unknown>);
}

function numberOf({ action }: RemoteRequest): unknown {
  return action.type === 'send-data' ? (action.data as { n?: unknown }).n : undefined;
}
