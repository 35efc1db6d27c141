/** Copies a store to a folder or database, and verifies the copy record by record. */
import type { StoreEnd, StoreSource } from '@blockwork/core/adapter';
import { exitCodes } from '../../line/exit-codes.js';
import { CommandError } from '../../line/failure.js';
import { assertApart, openSource, openTarget, type StorePlace } from './store-place.js';

export interface CopyReport extends StoreEnd {
  /** Number of lines copied by an earlier, interrupted run. */
  readonly resumedAt: number;
}

export interface CopyProgress {
  readonly step: 'copied' | 'verified';
  /** Records and revisions. */
  readonly lines: number;
}

/**
 * The source must not be in use; the target must be empty, or left by an interrupted copy of the same source. The target
 * becomes a store only after every record has been verified.
 */
export async function copyStore(
  from: StorePlace,
  to: StorePlace,
  report: (progress: CopyProgress) => void,
): Promise<CopyReport> {
  await assertApart(from, to);
  const source = await openSource(from);
  try {
    const target = await openTarget(to);
    try {
      const end = await target.take(source.lines(), (lines) => report({ step: 'copied', lines }));
      await verify(source, to, (lines) => report({ step: 'verified', lines }));
      await target.finish();
      return { ...end, resumedAt: target.resumesAt };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function verify(source: StoreSource, to: StorePlace, report: (lines: number) => void): Promise<void> {
  const copy = await openSource(to, true);
  try {
    await compare(source.lines(), copy.lines(), report);
  } finally {
    await copy.close();
  }
}

const REPORTED = 1000;

/** Line by line; skips the first, which only has the number of commits. */
async function compare(
  expected: AsyncIterable<string>,
  actual: AsyncIterable<string>,
  report: (lines: number) => void,
): Promise<void> {
  const others = actual[Symbol.asyncIterator]();
  let lines = 0;
  for await (const line of expected) {
    const other = await others.next();
    lines += 1;
    if (lines > 1 && other.value !== line) throw differs(line, other.done === true ? undefined : other.value);
    if (lines % REPORTED === 0) report(lines);
  }
  const more = await others.next();
  if (more.done !== true) throw differs(undefined, more.value);
  report(lines);
}

function differs(expected: string | undefined, actual: string | undefined): CommandError {
  const message = `The copy differs from the store: expected ${named(expected)}, found ${named(actual)}.`;
  return new CommandError(exitCodes.found, message, 'COPY_DIFFERS');
}

function named(line: string | undefined): string {
  if (line === undefined) return 'nothing more';
  const { kind = '', partition = '', value, key, revision = 0 } = JSON.parse(line) as NamedLine;
  if (value !== undefined) return `the ${kind} "${value.id}" of "${partition}" (${line.length} characters)`;
  return key === undefined ? 'the end' : `the revision ${revision} of "${key}"`;
}

interface NamedLine {
  readonly kind?: string;
  readonly partition?: string;
  readonly value?: { readonly id: string };
  readonly key?: string;
  readonly revision?: number;
}
