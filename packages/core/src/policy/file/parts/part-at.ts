/** Where a schema or token is: in a file of its own, or in a list of the policy. */
import type { Finding } from '../../model/policy-model.js';

/** @param name of its file, or a JSON pointer into the policy. @param member JSON pointer within it. */
export const partAt = (name: string, member = ''): Pick<Finding, 'file' | 'pointer'> =>
  name.startsWith('/') ? { pointer: name + member } : { file: name, pointer: member };
