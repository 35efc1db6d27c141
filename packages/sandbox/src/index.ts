/** `@blockwork/sandbox`: Guardian's services around policies, for development and tests. */
export { sandboxStateIn } from './memory/state-places.js';
export { createSandbox, type Sandbox } from './sandbox.js';
export type { SandboxOptions } from './options.js';
export { defaultSandboxLimits, type SandboxLimits } from './limits.js';
export { sandboxErrorTable } from './errors.js';
export type { GivenAccount } from './accounts/account-book.js';
export type { AccountRole } from './accounts/account.js';
