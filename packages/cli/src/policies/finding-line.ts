/** Findings as lines of text. */
import { join } from 'node:path';
import type { Finding } from '@blockwork/core';
import { located } from '@blockwork/core/files';
import { readSourceWithText } from './read-source.js';

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

/** For findings of the engine, which knows no file: with line and column where the policy was written by hand. */
export async function findingLinesIn(source: string, findings: readonly Finding[]): Promise<string[]> {
  if (findings.length === 0) return [];
  // The policy may be in the store although its file has become unreadable.
  const { text } = await readSourceWithText(source).catch(() => ({ text: undefined }));
  return located(findings, text).map((finding) => findingLine(finding, source));
}
