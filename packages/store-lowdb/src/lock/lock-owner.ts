/** Identifies the process that holds a lock, and tells whether it is still alive. */
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { codeOf } from '../files/failures.js';
import { LivenessSocket } from './liveness-socket.js';

/** The content of a candidate's file. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Changes with every boot; empty where the system has no such id. */
  readonly boot: string;
  /** Start time in the system's own unit, to detect a reused pid; empty where unknown. */
  readonly begun: string;
  /** The pid namespace, for containers; empty where there is none. */
  readonly namespace: string;
  /** ISO 8601. */
  readonly since: string;
}

const textFields = ['host', 'boot', 'begun', 'namespace', 'since'] as const;

export const isLockOwner = (parsed: unknown): parsed is LockOwner =>
  typeof parsed === 'object' &&
  parsed !== null &&
  Number.isSafeInteger((parsed as Partial<LockOwner>).pid) &&
  textFields.every((field) => typeof (parsed as Partial<LockOwner>)[field] === 'string');

export type Liveness = 'alive' | 'gone' | 'unknown';

export async function currentOwner(since: string): Promise<LockOwner> {
  return { ...(await (currentProcess ??= identifyProcess())), since };
}

/** Constant for the life of this process. */
let currentProcess: Promise<Omit<LockOwner, 'since'>> | undefined;

async function identifyProcess(): Promise<Omit<LockOwner, 'since'>> {
  const { pid } = process;
  const boot = (await textOrEmpty(readFile('/proc/sys/kernel/random/boot_id', 'utf8'))).trim();
  const namespace = await textOrEmpty(readlink('/proc/self/ns/pid'));
  return { pid, host: hostname(), boot, begun: (await processStat(pid)).begun, namespace };
}

export const describeOwner = ({ pid, host, since }: LockOwner): string => `process ${pid} on ${host} since ${since}`;

/** `unknown` if nothing on this machine can tell. */
export async function livenessOf(owner: LockOwner, self: LockOwner, socketPath: string): Promise<Liveness> {
  const isSameBoot = owner.boot === self.boot;
  if (!isSameBoot && owner.boot !== '' && self.boot !== '') return owner.host === self.host ? 'gone' : 'unknown';
  if (!isSameBoot || (self.boot === '' && owner.host !== self.host)) return 'unknown';
  if (owner.namespace !== self.namespace) return LivenessSocket.probe(socketPath);
  if (!processExists(owner.pid)) return 'gone';
  const { isZombie, begun } = await processStat(owner.pid);
  return isZombie || (begun !== '' && owner.begun !== '' && begun !== owner.begun) ? 'gone' : 'alive';
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/**
 * Fields 3 and 22 of `/proc/<pid>/stat`. Field 2 may contain anything, but ends with the last parenthesis. A zombie
 * keeps its pid until its parent reaps it, which in a container may be never.
 */
async function processStat(pid: number): Promise<{ isZombie: boolean; begun: string }> {
  const text = await textOrEmpty(readFile(`/proc/${pid}/stat`, 'utf8'));
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { isZombie: ['Z', 'X'].includes(fields[0] ?? ''), begun: fields[19] ?? '' };
}

/** Not every system provides these files. */
const textOrEmpty = (text: Promise<string>): Promise<string> => text.catch(() => '');
