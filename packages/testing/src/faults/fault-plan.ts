/** The plan of a simulated disk: which operations fail. */

/** Error codes of the operating system. */
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

  /** The failure of an operation; `undefined` if it succeeds. */
  next(operation: string): Error | undefined {
    const failure = this.#fault(operation);
    if (failure !== undefined) this.onFailure(operation);
    return failure;
  }

  /** Makes the `nth` operation from now fail, counting from 1, and with `lasts` all later ones. */
  failNth(nth: number, code: FaultCode, lasts = false): void {
    let left = nth;
    this.#fault = (operation) => {
      left -= 1;
      return left === 0 || (lasts && left < 0) ? failure(code, operation) : undefined;
    };
  }

  /** Makes every operation fail that starts with this text, for instance `write /store/journal`. */
  failOn(start: string, code: FaultCode): void {
    this.failWhere((operation) => operation.startsWith(start), code);
  }

  failWhere(fits: (operation: string) => boolean, code: FaultCode): void {
    this.#fault = (operation) => (fits(operation) ? failure(code, operation) : undefined);
  }

  /** Stops the machine after this many more operations. */
  stopAfter(operations: number): void {
    let left = operations;
    this.stopWhere(() => left-- <= 0);
  }

  /** Stops the machine before the first matching operation. */
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
