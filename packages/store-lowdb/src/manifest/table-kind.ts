/**
 * Maps records to tables. A table is the unit that damage makes unavailable, so the timers of each policy have their
 * own table: `timer/<policyId>`. All other tables are a kind in a partition.
 */
import { INSTANCE } from '@blockwork/core/records';
import { matches, policyIdOfTimer, type Condition } from '@blockwork/core/adapter';

/** The kind whose records are kept in several tables. Kinds of records contain no slash. */
const separated = 'timer';
const prefix = `${separated}/`;
/** Stands for the policies whose timer ids are ambiguous, because the policy id contains a slash. */
const unknown = '';

/** The table of a record, whether or not the record exists. */
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

/** Whether a table is the undivided one that held the timers of all policies up to format 2. */
export const isUndivided = (kind: string): boolean => kind === separated;

/** Whether records in this table may match the condition, judging by their policy only. */
export function mayMatch(kind: string, where: Condition): boolean {
  const policyId = policyIdOfTable(kind);
  return policyId === undefined || policyMayMatch(policyId, where);
}

function policyMayMatch(policyId: string, where: Condition): boolean {
  if (isAboutPolicy(where) && policyId !== unknown) return matches({ policyId }, where);
  if ('all' in where) return where.all.every((part) => policyMayMatch(policyId, part));
  if ('any' in where) return where.any.some((part) => policyMayMatch(policyId, part));
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
