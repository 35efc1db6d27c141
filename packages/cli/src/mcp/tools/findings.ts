/** The findings of a policy, errors first. */
import type { Client } from '@blockwork/client';
import { pageFrom, type Page } from './pages.js';

type Finding = Awaited<ReturnType<ReturnType<Client['policy']>['findings']>>[number];

export interface Findings extends Page<Finding> {
  readonly errors: number;
  readonly warnings: number;
}

const order = ['error', 'warning', 'information'];

export function findingsFrom(all: readonly Finding[], offset = 0, bytes?: number): Findings {
  const sorted = [...all].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  const count = (severity: string): number => all.filter((each) => each.severity === severity).length;
  return { errors: count('error'), warnings: count('warning'), ...pageFrom(sorted, offset, bytes) };
}
