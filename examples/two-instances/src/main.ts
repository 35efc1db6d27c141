/** Starts both instances: in two processes over NATS, or in this one if no server is running. */
import { MemoryLink, MemoryLinkHub, newInstanceKey } from '@blockwork/core';
import type { InstanceOptions, Link, Peer } from '@blockwork/core';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { natsLink } from './link.js';
import { north } from './north.js';
import { south } from './south.js';

const instances = { north, south };
type Name = keyof typeof instances;

interface Part {
  readonly name: Name;
  readonly stream: string;
  readonly instance: InstanceOptions;
  readonly peer: Peer;
}

/** Each instance has its own private key and the other's public key. */
function parts(stream: string): Part[] {
  const keys = { north: newInstanceKey(), south: newInstanceKey() };
  const part = (name: Name, peer: Name): Part => ({
    name,
    stream,
    instance: { id: name, key: keys[name].privateKey },
    peer: { id: peer, key: keys[peer].publicKey, identities: [`did:${peer}:*`] },
  });
  return [part('north', 'south'), part('south', 'north')];
}

const run = ({ name, instance, peer }: Part, link: Link): Promise<void> => instances[name](link, instance, peer);

async function inTwoProcesses(all: readonly Part[]): Promise<void> {
  const codes = await Promise.all(
    all.map(
      (part) =>
        new Promise<number>((resolve) => {
          fork(fileURLToPath(import.meta.url), [JSON.stringify(part)]).once('exit', (code) => resolve(code ?? 1));
        }),
    ),
  );
  process.exitCode = Math.max(...codes);
}

async function inThisProcess(all: readonly Part[]): Promise<void> {
  const hub = new MemoryLinkHub();
  await Promise.all(all.map((part) => run(part, new MemoryLink({ hub }))));
}

const folder = process.argv[2];
if (folder === undefined) {
  const stream = 'blockwork-example';
  const probe = await natsLink(stream);
  await probe?.close();
  console.log(probe === undefined ? 'No NATS server answers: both run in this process.' : 'Two processes, over NATS.');
  await (probe === undefined ? inThisProcess : inTwoProcesses)(parts(stream));
} else {
  const part = JSON.parse(folder) as Part;
  const link = await natsLink(part.stream);
  if (link === undefined) throw new Error('The NATS server is gone.');
  await run(part, link);
}
