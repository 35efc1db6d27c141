import {
  canTransition,
  policyStatuses,
  policyTransitions,
  statusesThatAre,
  statusIs,
} from '@blockwork/contract/statuses';
import { expect, it } from 'vitest';

it('each trait of a status is that of these statuses', () => {
  expect(statusesThatAre('readable')).toEqual(['DRAFT', 'DRY-RUN', 'PUBLISH', 'DISCONTINUED', 'DEMO', 'VIEW']);
  expect(statusesThatAre('running')).toEqual(['DRAFT', 'DRY-RUN', 'PUBLISH', 'DEMO']);
  expect(statusesThatAre('ticking')).toEqual(['DRY-RUN', 'PUBLISH', 'DEMO']);
  expect(statusesThatAre('published')).toEqual(['PUBLISH', 'DISCONTINUED']);
  expect(statusesThatAre('trial')).toEqual(['DRAFT', 'DRY-RUN', 'DEMO']);
  expect(statusesThatAre('private')).toEqual(['DRAFT', 'DRY-RUN', 'PUBLISH_ERROR']);
});

it('what ticks runs, what runs is readable, and nothing published is private or a trial', () => {
  for (const status of Object.keys(policyStatuses)) {
    if (statusIs(status, 'ticking')) expect(statusIs(status, 'running'), status).toBe(true);
    if (statusIs(status, 'running')) expect(statusIs(status, 'readable'), status).toBe(true);
    if (statusIs(status, 'published'))
      expect([statusIs(status, 'private'), statusIs(status, 'trial')]).toEqual([false, false]);
  }
});

it.each(['', 'draft', 'toString', '__proto__', 'RETIRED'])('the unknown status "%s" allows nothing', (status) => {
  expect(statusIs(status, 'readable')).toBe(false);
  expect(Object.keys(policyTransitions).filter((action) => canTransition(action as 'publish', status))).toEqual([]);
});

it('an action is possible from the statuses of its row', () => {
  expect(Object.keys(policyStatuses).filter((status) => canTransition('publish', status))).toEqual([
    'DRAFT',
    'DRY-RUN',
    'PUBLISH_ERROR',
  ]);
  expect(canTransition('discontinue', 'DISCONTINUED')).toBe(false);
});
