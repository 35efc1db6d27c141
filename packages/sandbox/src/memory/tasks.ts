/** Tasks of `push` routes: the work is finished before the response with the task's id is sent. */
import type { Clock, Ids, Logger } from '@blockwork/core';
import { isBlockworkError } from '@blockwork/core';
import { isoNow } from '@blockwork/core/adapter';
import { SandboxError } from '../errors.js';
import { Shelf } from './shelf.js';

export interface Task {
  readonly taskId: string;
  readonly action: string;
  readonly userId: string;
  readonly expectation: number;
  readonly date: string;
  readonly statuses: readonly { readonly message: string; readonly type: 'Completed' | 'Info' }[];
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface TaskDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly limits: { readonly tasks: number; readonly taskBytes: number };
}

export class Tasks {
  readonly #deps: TaskDeps;
  readonly #tasks: Shelf<Task>;

  constructor(deps: TaskDeps) {
    this.#deps = deps;
    const { tasks: count, taskBytes: bytes } = deps.limits;
    this.#tasks = new Shelf({ what: 'tasks', count, bytes, whenFull: 'forget-oldest' });
  }

  /** Does the work; a refusal becomes the task's error. `userId` is the owner of the task. */
  async run(action: string, userId: string, work: () => Promise<unknown>): Promise<Task> {
    const { clock, ids } = this.#deps;
    const facts = { taskId: ids.uuid(), action, userId, expectation: 1, date: isoNow(clock) };
    const task: Task = { ...facts, ...(await this.#outcome(action, work)) };
    this.#tasks.put(task.taskId, task);
    return task;
  }

  /** `undefined` for an unknown task or another user's. */
  find(taskId: string, userId: string): Task | undefined {
    const task = this.#tasks.get(taskId);
    return task?.userId === userId ? task : undefined;
  }

  async #outcome(action: string, work: () => Promise<unknown>): Promise<Pick<Task, 'statuses' | 'result' | 'error'>> {
    try {
      const result = await work();
      return { statuses: [{ message: action, type: 'Completed' }], result };
    } catch (error) {
      const { status, message } = this.#told(action, error);
      return { statuses: [{ message, type: 'Info' }], error: { code: status, message } };
    }
  }

  /** The part of the error that clients may see. */
  #told(action: string, error: unknown): { status: number; message: string } {
    if (error instanceof SandboxError) return error;
    if (isBlockworkError(error) && error.status < 500) return error;
    this.#deps.logger.error('A task of the sandbox failed.', { action, error });
    return { status: 500, message: 'The task failed; see the server log.' };
  }
}
