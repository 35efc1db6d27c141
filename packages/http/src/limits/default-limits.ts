/** The default limits of the interface, in bytes, milliseconds or counts. */
export const defaultLimits = {
  bodyLimit: 1024 * 1024,
  policyFileLimit: 32 * 1024 * 1024,
  bodiesLimit: 128 * 1024 * 1024,
  burstSeconds: 10,
  sendsPerPolicy: 1000,
} as const;
