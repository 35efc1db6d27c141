/** The gate of the engine: closed after `close`, and open to callers as far as their permissions go. */
import { assertPermitted, permits, type Caller, type Permission, type PermissionTable } from '../access/index.js';
import { BlockworkError } from '../errors.js';

export class Gate {
  #isOpen = true;

  constructor(private readonly permissionTable: PermissionTable) {}

  get isOpen(): boolean {
    return this.#isOpen;
  }

  close(): void {
    this.#isOpen = false;
  }

  /** Throws `ENGINE_CLOSED`. */
  assertOpen(): void {
    if (!this.#isOpen) throw new BlockworkError('ENGINE_CLOSED');
  }

  /** Throws `ENGINE_CLOSED`, and `PERMISSION_DENIED` unless the caller has the permission. */
  admit(caller: Caller, permission: Permission): void {
    this.assertOpen();
    assertPermitted(this.permissionTable, caller, permission);
  }

  /** Throws `ENGINE_CLOSED`. */
  permits(caller: Caller, permission: Permission): boolean {
    this.assertOpen();
    return permits(this.permissionTable, caller, permission);
  }
}
