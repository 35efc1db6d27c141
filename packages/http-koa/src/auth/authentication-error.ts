/** Why nobody can be recognised behind a request. */

/** - `missing`: the request holds no credential at all; the others are about the one that it holds. */
export type AuthenticationProblem =
  | 'missing'
  | 'malformed'
  | 'signature'
  | 'key'
  | 'algorithm'
  | 'expired'
  | 'not-yet-valid'
  | 'issuer'
  | 'audience'
  | 'claims';

/** Answered with 401 and a Bearer challenge. The message goes to the client, so it must hold no secret. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';
  readonly problem: AuthenticationProblem;

  constructor(problem: AuthenticationProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.problem = problem;
  }
}
