/** A sign-in attempt: state that the tab stores while the user is at the provider. It is used once. */

export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The fragment of the screen to return to. */
  readonly returnTo: string;
}

const KEY = 'blockwork-sign-in';

export const keepAttempt = (attempt: Attempt): void => sessionStorage.setItem(KEY, JSON.stringify(attempt));

/** `null` if this tab started no attempt. */
export function takeAttempt(): Attempt | null {
  const attempt = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  try {
    return attempt === null ? null : (JSON.parse(attempt) as Attempt);
  } catch {
    return null;
  }
}
