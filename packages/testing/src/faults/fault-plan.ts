/** Which operations of a simulated disk fail. */

/** As the operating system calls it. */
export type FaultCode = 'ENOSPC' | 'EIO' | 'EMFILE' | 'EACCES' | 'EROFS';

/** Thrown by every operation after the machine has stopped. */
export class MachineStopped extends Error {
  override readonly name = 'MachineStopped';

  constructor() {
    super('The machine has stopped.');
  }
}

type Fault = (operation: string) => Error | undefined;

const failure = (code: string, operation: string): Error =>
  Object.assign(new Error(`${code}: simulated, ${operation}`), { code });

export class FaultPlan {
  #fault: Fault = () => undefined;

  /** Called before each failure. */
  onFailure: (operation: string) => void = () => undefined;

  /** The failure of an operation; `undefined` when it succeeds. */
  next(operation: string): Error | undefined {
    const failure = this.#fault(operation);
    if (failure !== undefined) this.onFailure(operation);
    return failure;
  }

  /** From now on, the `nth` operation fails, counted from 1; and every one after it when it `lasts`. */
  failNth(nth: number, code: FaultCode, lasts = false): void {
    let left = nth;
    this.#fault = (operation) => {
      left -= 1;
      return left === 0 || (lasts && left < 0) ? failure(code, operation) : undefined;
    };
  }

  /** From now on, every operation fails that begins so: `write /store/journal`, for instance. */
  failOn(start: string, code: FaultCode): void {
    this.failWhere((operation) => operation.startsWith(start), code);
  }

  failWhere(fits: (operation: string) => boolean, code: FaultCode): void {
    this.#fault = (operation) => (fits(operation) ? failure(code, operation) : undefined);
  }

  /** From now on, so many operations happen, and none after them. */
  stopAfter(operations: number): void {
    let left = operations;
    this.stopWhere(() => left-- <= 0);
  }

  /** The machine stops before the first operation that fits. */
  stopWhere(fits: (operation: string) => boolean): void {
    let hasStopped = false;
    this.#fault = (operation) => {
      hasStopped ||= fits(operation);
      return hasStopped ? new MachineStopped() : undefined;
    };
  }

  heal(): void {
    this.#fault = () => undefined;
  }
}
