/** Who holds the lock of a folder, and whether they still live. */
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { visitBeacon } from './liveness-socket.js';
import { codeOf } from '../files/failures.js';

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Differs after each start of the machine; empty where the system does not tell. */
  readonly boot: string;
  /** When the process began, in the system's own count: tells two processes of one number apart. Empty where unknown. */
  readonly begun: string;
  /** The namespace that the process number counts in, for containers; empty where there is none. */
  readonly namespace: string;
  /** ISO 8601. */
  readonly since: string;
}

export async function thisProcess(since: string): Promise<Holder> {
  return { ...(await (self ??= askSystem())), since };
}

/** What does not change for as long as this process runs. */
let self: Promise<Omit<Holder, 'since'>> | undefined;

async function askSystem(): Promise<Omit<Holder, 'since'>> {
  const { pid } = process;
  const boot = (await textOf(readFile('/proc/sys/kernel/random/boot_id', 'utf8'))).trim();
  const namespace = await textOf(readlink('/proc/self/ns/pid'));
  return { pid, host: hostname(), boot, begun: (await vitals(pid)).begun, namespace };
}

export const describeHolder = ({ pid, host, since }: Holder): string => `process ${pid} on ${host} since ${since}`;

/** `beacon` is the path of its socket. `unknown` where nothing on this machine can tell. */
export async function stateOf(holder: Holder, own: Holder, beacon: string): Promise<'alive' | 'gone' | 'unknown'> {
  const isSameBoot = holder.boot === own.boot;
  if (!isSameBoot && holder.boot !== '' && own.boot !== '') return holder.host === own.host ? 'gone' : 'unknown';
  if (!isSameBoot || (own.boot === '' && holder.host !== own.host)) return 'unknown';
  if (holder.namespace !== own.namespace) return visitBeacon(beacon);
  if (!exists(holder.pid)) return 'gone';
  const { isDead, begun } = await vitals(holder.pid);
  return isDead || (begun !== '' && holder.begun !== '' && begun !== holder.begun) ? 'gone' : 'alive';
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/**
 * The third and the 22nd field of `/proc/<pid>/stat`; the second one may hold anything, but ends with the last
 * parenthesis. A process that has ended keeps its number until its parent asks for its end (a zombie), which in a
 * container may be never.
 */
async function vitals(pid: number): Promise<{ isDead: boolean; begun: string }> {
  const text = await textOf(readFile(`/proc/${pid}/stat`, 'utf8'));
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { isDead: ['Z', 'X'].includes(fields[0] ?? ''), begun: fields[19] ?? '' };
}

/** What only some systems tell is empty on the others. */
const textOf = (text: Promise<string>): Promise<string> => text.catch(() => '');
