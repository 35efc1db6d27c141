/** A finding as a line of text. */
import { join } from 'node:path';
import type { Finding } from '@blockwork/core';

/** @param source the policy's file or folder. Where given, the line begins with the place, as editors and terminals link it. */
export function findingLine(
  { severity, code, message, path, tag, file, line, column }: Finding,
  source?: string,
): string {
  const where = tag ?? (path === '' ? 'the policy' : path);
  const place =
    source === undefined || line === undefined ? '' : `${join(source, file ?? '')}:${line}:${column ?? 1}  `;
  return `  ${place}${severity.padEnd(11)}  ${code}  ${where}: ${message}`;
}
