/** The text form of an invitation: it identifies the invitation and describes it to people. */
import { isObject } from '../records/index.js';
import type { JsonObject } from '../records/index.js';

/** Base64url of `{invitation, ...}`, as in the reference (section 7.28). */
export const invitationToken = (facts: JsonObject & { readonly invitation: string }): string =>
  Buffer.from(JSON.stringify(facts)).toString('base64url');

/** The invitation's id; `undefined` if the text is not an invitation. */
export function invitationIn(token: string): string | undefined {
  try {
    const facts: unknown = JSON.parse(Buffer.from(token, 'base64').toString('utf8'));
    return isObject(facts) && typeof facts.invitation === 'string' ? facts.invitation : undefined;
  } catch {
    return undefined;
  }
}
