/** The credentials in uploaded files, and the outcome for each. */
import { valueText } from '../../ui/format.js';

type Document = Readonly<Record<string, unknown>>;

export interface Candidate {
  /** Name of its file. */
  readonly file: string;
  /** Absent if the file is not a credential. */
  readonly document?: Document;
}

export interface Result {
  readonly file: string;
  /** The credential's own name. */
  readonly name: string;
  readonly outcome: 'verified' | 'invalid' | 'notJson';
}

/** A single credential, or a list of them. */
export async function credentialsIn(file: File): Promise<Candidate[]> {
  const held = await parsed(file);
  const documents = Array.isArray(held) ? (held as readonly unknown[]) : [held];
  if (documents.length === 0 || !documents.every(isObject)) return [{ file: file.name }];
  return documents.map((document) => ({ file: file.name, document }));
}

async function parsed(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text());
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The server returns rejected credentials in order. Of duplicates it accepts the first, so matching starts from the
 * end.
 */
export function resultsOf(candidates: readonly Candidate[], invalid: readonly unknown[]): Result[] {
  const left = invalid.map((document) => JSON.stringify(document));
  const results = candidates.toReversed().map(({ file, document }): Result => {
    if (document === undefined) return { file, name: '', outcome: 'notJson' };
    const isInvalid = left.length > 0 && left.at(-1) === JSON.stringify(document);
    if (isInvalid) left.pop();
    return { file, name: valueText(document['id']), outcome: isInvalid ? 'invalid' : 'verified' };
  });
  return results.reverse();
}
