/** A finding as a line of text. */
import type { Finding } from '@blockwork/core';

export function findingLine({ severity, code, message, path, tag }: Finding): string {
  const where = tag ?? (path === '' ? 'the policy' : path);
  return `  ${severity.padEnd(11)}  ${code}  ${where}: ${message}`;
}
