/** Programs that make payments together with bills, run as processes until they end or kill themselves. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** The moment of a payment at which the process kills itself. */
export interface Death {
  /** In which of its payments, counted from 1. */
  readonly payments: number;
  readonly moment: 'begun' | 'written' | 'answered';
  /** Turns of the event loop that it goes on for. */
  readonly turns: number;
}

export interface HostProgramSettings {
  readonly address: string;
  readonly policyId: string;
  /** The amounts, which also number the bills. */
  readonly payments: readonly number[];
  /** Absent for a program that is not killed. */
  readonly death?: Death;
}

/** Resolves when the process has ended, to the payments that it has reported. Rejects if it failed. */
export async function runHostProgram(program: string, settings: HostProgramSettings): Promise<number[]> {
  const child = fork(program, [JSON.stringify(settings)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const paid: number[] = [];
  let output = '';
  child.stderr?.on('data', (text: Buffer) => (output += text.toString()));
  child.on('message', (message: { readonly paid: number }) => paid.push(message.paid));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`The program ended with ${String(code)}: ${output}`);
  return paid;
}
