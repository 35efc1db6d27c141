import { newInstanceKey } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import type { PolicyStore, RemoteRequest } from '@blockwork/core';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { buildProgram } from './support/build-program.js';
import { natsServer, removeStream } from './support/nats-server.js';
import { Random } from './support/random.js';

const server = await natsServer();
const CONVERSATIONS = 500;
const keys = { north: newInstanceKey(), south: newInstanceKey() };
type Name = keyof typeof keys;
const names = ['north', 'south'] as const;
const other = (name: Name): Name => (name === 'north' ? 'south' : 'north');

interface Report {
  readonly asked: number;
  readonly heard: number;
  readonly open: number;
  readonly unsent: number;
  readonly refused: Readonly<Record<string, number>>;
}

/** A process that is killed without warning, and started again on the same files. */
class Killable {
  #child: ChildProcess;
  report: Report | null = null;
  readonly refused = new Set<string>();

  constructor(
    private readonly program: string,
    private readonly settings: object,
  ) {
    this.#child = this.#start();
  }

  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
    this.report = null;
    this.#child = this.#start();
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.send('end');
    await ended;
  }

  #start(): ChildProcess {
    const child = fork(this.program, [JSON.stringify(this.settings)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('message', (report: Report) => {
      this.report = report;
      for (const [reason, count] of Object.entries(report.refused)) if (count > 0) this.refused.add(reason);
    });
    return child;
  }
}

describe(`two processes over NATS${'missing' in server ? ` (skipped: ${server.missing})` : ''}`, () => {
  it.skipIf('missing' in server)(
    'that are killed again and again carry out each of 500 conversations once, and agree on its end',
    { timeout: 300_000 },
    async () => {
      if ('missing' in server) return;
      const [folder, stream] = [await mkdtemp(join(tmpdir(), 'blockwork-two-')), `two-${randomUUID()}`];
      const program = await buildProgram('nats-instance', folder);
      const processes = names.map(
        (name) =>
          new Killable(program, {
            name,
            peer: other(name),
            folder: join(folder, name),
            servers: server.address,
            stream,
            key: keys[name].privateKey,
            peerKey: keys[other(name)].publicKey,
            conversations: CONVERSATIONS / 2,
          }),
      );
      const random = new Random(7);
      let kills = 0;
      const isDone = ({ report }: Killable): boolean =>
        report?.asked === CONVERSATIONS / 2 && report.heard === CONVERSATIONS / 2 && report.open + report.unsent === 0;
      for (const end = Date.now() + 240_000; Date.now() < end && !processes.every(isDone);) {
        // They are killed while there is work, and left alone for what remains in the end.
        await sleep(kills < 16 ? 300 + random.below(700) : 200);
        if (kills < 16 && !processes.every(isDone)) {
          await random.pick(processes)?.kill();
          kills += 1;
        }
      }
      expect(processes.map(({ report }) => report)).toMatchObject(
        names.map(() => ({ asked: CONVERSATIONS / 2, heard: CONVERSATIONS / 2, open: 0, unsent: 0 })),
      );
      for (const each of processes) await each.end();
      expect(kills).toBeGreaterThan(4);
      for (const { refused } of processes) expect([...refused].filter((reason) => reason !== 'replayed')).toEqual([]);
      await examine(folder);
      await rm(folder, { recursive: true });
      await removeStream(server.address, stream);
      console.log(`${String(CONVERSATIONS)} conversations, ${String(kills)} kills`);
    },
  );
});

/** On both sides: one row for each conversation, the same end, and as many effects as there must be. */
async function examine(folder: string): Promise<void> {
  const stores: Record<Name, PolicyStore> = {
    north: await openLowdbStore({ folder: join(folder, 'north') }),
    south: await openLowdbStore({ folder: join(folder, 'south') }),
  };
  for (const name of names) {
    const rows = await stores[name].find('request', INSTANCE);
    const asked = rows.filter(({ direction }) => direction === 'outgoing');
    const there = await stores[other(name)].find('request', INSTANCE);
    const votes = await documents(stores[other(name)], `votes-${other(name)}`, 'ballot');
    const answers = await documents(stores[name], `votes-${name}`, 'notebook');
    expect(asked).toHaveLength(CONVERSATIONS / 2);
    for (const row of asked) {
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
  const found = await store.find('document', policyId, { where: { path: 'type', op: 'eq', value: type } });
  return found.map(({ document }) => document as Record<string, unknown>);
}

function numberOf({ action }: RemoteRequest): unknown {
  return action.type === 'send-data' ? (action.data as { n?: unknown }).n : undefined;
}
