/** The identity of a token: a DID, or one derived from `sub` by the operator's template. */
import { isDid } from '@blockwork/core';
import { invalidOption } from '@blockwork/core/adapter';

/** Derives a DID from `iss` and `sub`; `null` if that is impossible. */
export type SubjectRule = (sub: string, iss: string | undefined) => string | null;

/**
 * Each placeholder fills a whole part between colons, in which every character but letters, digits, `-`, `_` and `.` is
 * percent-encoded, so that two accounts never get one DID. `issuers`: how many issuers tokens may come from. Throws
 * `OPTION_INVALID`.
 */
export function subjectTemplate(template: string, issuers: number | undefined): SubjectRule {
  const parts = template.split(':');
  const count = (placeholder: string): number => parts.filter((part) => part === placeholder).length;
  const refuse = (reason: string): Error => invalidOption('auth.subject', reason);
  if (count('{sub}') !== 1 || count('{iss}') > 1) {
    throw refuse('it must have {sub} once, and may have {iss} once, each between colons or at the end');
  }
  const isPlaceholder = (part: string): boolean => part === '{sub}' || part === '{iss}';
  if (
    parts.slice(0, 2).some(isPlaceholder) ||
    !isDid(parts.map((part) => (isPlaceholder(part) ? 'x' : part)).join(':'))
  ) {
    throw refuse('it must be a DID with {sub} in it, for instance "did:web:example.org:users:{sub}"');
  }
  if (parts[1] === 'key') throw refuse('a did:key names a key, not an account');
  if (count('{iss}') === 0 && issuers !== 1) {
    throw refuse('sub is unique for one issuer only: set auth.issuer to that one, or add {iss} to the template');
  }
  return (sub, iss) => {
    const filled = parts.map((part) => (part === '{sub}' ? encoded(sub) : part === '{iss}' ? encoded(iss) : part));
    if (filled.includes(null)) return null;
    const did = filled.join(':');
    return isDid(did) ? did : null;
  };
}

/** `null` for non-text, invalid Unicode, and dot segments of URLs. */
function encoded(text: string | undefined): string | null {
  if (text === undefined || /\p{Surrogate}/u.test(text) || /^\.{0,2}$/.test(text)) return null;
  return encodeURIComponent(text).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
