/** The durability levels: what a commit survives once it is acknowledged. */
export const durabilities = ['fsync', 'os', 'none'] as const;

/**
 * When a commit is acknowledged:
 * - `fsync`: once the disk has it. Survives a power cut. Concurrent commits share one flush.
 * - `os`: once the operating system has it. Survives a crash of the process, but not a power cut.
 * - `none`: at once. A crash of the process may lose the last commits.
 */
export type Durability = (typeof durabilities)[number];
