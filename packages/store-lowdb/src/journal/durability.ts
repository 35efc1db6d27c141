/** How much of the machine a commit outlives. */
export const durabilities = ['fsync', 'os', 'none'] as const;

/**
 * When a commit is acknowledged:
 * - `fsync`: when the disk has it. Survives a power cut. Costs one flush for all commits that wait together.
 * - `os`: when the operating system has it. Survives the end of the process, however sudden, but not a power cut.
 * - `none`: at once. The last moments may be lost with the process.
 */
export type Durability = (typeof durabilities)[number];
