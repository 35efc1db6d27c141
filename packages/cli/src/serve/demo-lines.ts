/** Requests to paste into a shell: for the owner, for a user with a role, for a user without one. */
import type { Caller } from '@blockwork/core';
import { examplePolicy, offerId, type Demo } from './demo.js';

/** `url` is where the routes begin. Every line carries its own token, valid for a day. */
export function demoLines(demo: Demo, url: string, sign: (caller: Caller) => string): string {
  const curl = (caller: Caller, path: string, extra = ''): string =>
    `curl -s${extra} -H 'Authorization: Bearer ${sign(caller)}' '${url}${path}'`;
  const lines = [
    ...(demo.hasExample ? exampleLines(demo, curl) : otherLines(demo, curl)),
    '# The owner approves what another instance offers (again: the same answer, and nothing happens twice)',
    curl(
      demo.owner,
      `/external-policies/requests/${offerId}/approve`,
      ` -X PUT -H 'Content-Type: application/json' --data '@${demo.approval}'`,
    ),
  ];
  return lines.join('\n');
}

type Curl = (caller: Caller, path: string) => string;

const exampleLines = ({ owner, developer, visitor }: Demo, curl: Curl): string[] => {
  const tag = `/policies/${examplePolicy}/tag`;
  return [
    '# The owner: a page of all documents',
    curl(owner, `${tag}/documents_grid/blocks?page=2&itemsPerPage=5`),
    '# A project developer: the readings of one of their sites',
    curl(developer, `${tag}/readings_grid/blocks?readings_site=SITE-001&page=0&itemsPerPage=5`),
    '# A visitor without a role: where one is taken',
    curl(visitor, `${tag}/choose_role/blocks`),
  ];
};

const otherLines = ({ owner, visitor }: Demo, curl: Curl): string[] => [
  '# The owner: all policies',
  curl(owner, '/policies'),
  '# A visitor without a role: all policies',
  curl(visitor, '/policies'),
];
