/** The scope of a formula about documents: the fields of a subject, or lists of them for several documents. */
import { documentsIn, type DocumentInput, type Json, type JsonObject } from '@blockwork/core/block';
import { subjectOf } from '../common/subject.js';

/** The subject of a credential; `undefined` for presentations and anything else without one. */
export const subjectOfDocument = ({ document }: DocumentInput): JsonObject | undefined => subjectOf(document);

/**
 * From the data of an event. One document gives the fields of its subject. A list gives, for each field of its first
 * document, the list of that field's values in all documents, `null` where one is missing. `null` without any subject.
 */
export function scopeOf(data: Json): JsonObject | null {
  const subjects = documentsIn(data)
    .map(subjectOfDocument)
    .filter((subject) => subject !== undefined);
  return Array.isArray(data) ? listsOf(subjects) : (subjects[0] ?? null);
}

function listsOf(subjects: readonly JsonObject[]): JsonObject | null {
  const [first] = subjects;
  if (first === undefined) return null;
  return Object.fromEntries(Object.keys(first).map((field) => [field, subjects.map((each) => each[field] ?? null)]));
}
