/** Makes the program of a thread the program of a worker: a task comes as a message, and its result goes back as one. */
import type { WorkerAnswer } from '../platform/piscina.js';

export function runTasks(program: (task: never) => unknown): void {
  globalThis.addEventListener('message', (event: MessageEvent) => {
    void answerTo(program, event.data).then((answer) => {
      globalThis.postMessage(answer);
    });
  });
}

async function answerTo(program: (task: never) => unknown, task: unknown): Promise<WorkerAnswer> {
  try {
    return { result: await program(task as never) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { error: { name, message } };
  }
}
