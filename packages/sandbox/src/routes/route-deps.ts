/** Dependencies of the sandbox routes. */
import type { Clock, Ids, Logger, PolicyEngine } from '@blockwork/core';
import type { AccountBook } from '../accounts/account-book.js';
import type { SessionTokens } from '../accounts/session-tokens.js';
import type { Books } from '../memory/books.js';
import type { Task, Tasks } from '../memory/tasks.js';
import type { Trials } from '../memory/trials.js';
import type { Person } from '../requests/person.js';
import type { SandboxCall, SandboxReply } from '../requests/endpoint.js';

export interface RouteDeps {
  readonly engine: PolicyEngine;
  readonly accounts: AccountBook;
  readonly tokens: SessionTokens;
  readonly tasks: Tasks;
  readonly trials: Trials;
  readonly books: Books;
  /** Policy files by the id of the message that announces them. */
  readonly messages: ReadonlyMap<string, Uint8Array>;
  /** Notifies a user's open pages of a task. */
  readonly announce: (person: Person, task: Task) => void;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** The id under which the sandbox knows a person. */
export const userIdOf = ({ account, caller }: Person): string => account?.id ?? caller?.did ?? '';

/** Does the work of a `push` route, and answers with its task. */
export async function asTask(
  { tasks, announce }: RouteDeps,
  call: SandboxCall,
  action: string,
  work: () => Promise<unknown>,
): Promise<SandboxReply> {
  const person = await call.person();
  const task = await tasks.run(action, userIdOf(person), work);
  announce(person, task);
  const { taskId, expectation, userId } = task;
  return { status: 202, body: { taskId, expectation, action, userId } };
}
