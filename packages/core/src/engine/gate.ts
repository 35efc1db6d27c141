/** The gate to the engine: checks that it is open and that the caller is valid and permitted. */
import {
  assertCaller,
  assertPermitted,
  permits,
  type Caller,
  type Permission,
  type PermissionRules,
} from '../access/index.js';
import { BlockworkError } from '../errors.js';

export class Gate {
  #isOpen = true;
  #resolveClosed: () => void = () => undefined;
  readonly closed = new Promise<void>((resolve) => (this.#resolveClosed = resolve));

  constructor(private readonly rules: PermissionRules) {}

  get isOpen(): boolean {
    return this.#isOpen;
  }

  close(): void {
    this.#isOpen = false;
    this.#resolveClosed();
  }

  /** Throws `ENGINE_CLOSED`. */
  assertOpen(): void {
    if (!this.#isOpen) throw new BlockworkError('ENGINE_CLOSED');
  }

  /** Throws `ENGINE_CLOSED`, `CALLER_INVALID`, and `PERMISSION_DENIED` unless the caller has the permission. */
  admit(caller: Caller, permission: Permission): void {
    this.assertOpen();
    assertCaller(caller);
    assertPermitted(this.rules, caller, permission);
  }

  /** Throws `ENGINE_CLOSED` and `CALLER_INVALID`. */
  permits(caller: Caller, permission: Permission): boolean {
    this.assertOpen();
    assertCaller(caller);
    return permits(this.rules, caller, permission);
  }
}
