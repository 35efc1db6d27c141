/** A sign-in attempt: state that the tab stores while the user is at the provider. It is used once. */

export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The fragment of the screen from which it began. */
  readonly returnTo: string;
}

const KEY = 'blockwork-sign-in';

export const keepAttempt = (attempt: Attempt): void => sessionStorage.setItem(KEY, JSON.stringify(attempt));

/** `null` where this tab has begun none. */
export function takeAttempt(): Attempt | null {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  try {
    return kept === null ? null : (JSON.parse(kept) as Attempt);
  } catch {
    return null;
  }
}
