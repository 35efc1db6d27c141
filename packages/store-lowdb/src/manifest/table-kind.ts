/**
 * Which table of the folder a record is in. A table is what damage makes unavailable, so the timers of each policy have one of their
 * own: `timer/<policyId>`. Everywhere else a table is a kind in a partition.
 */
import { INSTANCE } from '@blockwork/core/records';
import { matches, policyIdOfTimer, type Condition } from '@blockwork/core/adapter';

/** The kinds whose records are kept in several tables. Kinds of records have no slash. */
const separated = 'timer';
const prefix = `${separated}/`;
/** Names the table of those whose id does not tell the policy. The ids of such policies have a slash. */
const unknown = '';

/** Also of a record that is about to be deleted, or does not exist. */
export function tableKind(kind: string, partition: string, id: string): string {
  if (kind !== separated || partition !== INSTANCE) return kind;
  return prefix + (policyIdOfTimer(id) ?? unknown);
}

export const tableKindOf = (change: {
  readonly kind: string;
  readonly partition: string;
  readonly id?: string;
  readonly value?: { readonly id: string };
}): string => tableKind(change.kind, change.partition, change.value?.id ?? change.id ?? '');

/** The kind of the records in a table. */
export const recordKind = (kind: string): string => (kind.startsWith(prefix) ? separated : kind);

/** The policy whose timers a table holds. */
export const policyIdOfTable = (kind: string): string | undefined =>
  kind.startsWith(prefix) ? kind.slice(prefix.length) : undefined;

/** Whether records of this kind and partition may be in several tables. */
export const isSeparated = (kind: string, partition: string): boolean =>
  recordKind(kind) === separated && partition === INSTANCE;

/** Up to format 2, the timers of all policies were in one table. */
export const wasWhole = (kind: string): boolean => kind === separated;

/** Whether records in this table may meet the condition, as far as their policy tells. */
export function mayConcern(kind: string, where: Condition): boolean {
  const policyId = policyIdOfTable(kind);
  return policyId === undefined || canMeet(policyId, where);
}

function canMeet(policyId: string, where: Condition): boolean {
  if (isAboutPolicy(where) && policyId !== unknown) return matches({ policyId }, where);
  if ('all' in where) return where.all.every((part) => canMeet(policyId, part));
  if ('any' in where) return where.any.some((part) => canMeet(policyId, part));
  if (policyId !== unknown || 'not' in where || where.path !== 'policyId') return true;
  if (where.op === 'eq') return hasSlash(where.value);
  return where.op !== 'in' || where.value.some(hasSlash);
}

const hasSlash = (value: unknown): boolean => typeof value !== 'string' || value.includes('/');

function isAboutPolicy(where: Condition): boolean {
  if ('all' in where) return where.all.every(isAboutPolicy);
  if ('any' in where) return where.any.every(isAboutPolicy);
  if ('not' in where) return isAboutPolicy(where.not);
  return where.path === 'policyId';
}
