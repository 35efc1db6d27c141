/** Describes an invalid option: what was expected and what was found. */
import type { z } from 'zod';

/** For a union, what each of its alternatives expects; otherwise the issue's own message. */
export function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message;
  const expected = new Set(issue.errors.flat().map(expectationOf));
  return expected.size === 0 ? issue.message : `Invalid input: expected ${[...expected].join(' or ')}`;
}

function expectationOf(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? '' : ` at ${issue.path.map(String).join('.')}`;
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected + where;
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(', ') + where;
    default:
      return messageOf(issue) + where;
  }
}
