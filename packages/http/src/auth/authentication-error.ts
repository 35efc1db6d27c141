/** Why a request could not be authenticated. */

/** `missing`: the request has no credential. The others describe what is wrong with it. */
export type AuthenticationProblem =
  | 'missing'
  | 'malformed'
  | 'signature'
  | 'key'
  | 'algorithm'
  | 'expired'
  | 'revoked'
  | 'not-yet-valid'
  | 'issuer'
  | 'audience'
  | 'claims';

/** Answered with 401 and a Bearer challenge. The message goes to the client, so keep secrets out of it. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';
  readonly problem: AuthenticationProblem;

  constructor(problem: AuthenticationProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.problem = problem;
  }
}
