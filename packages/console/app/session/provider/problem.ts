/** The error of a failed sign-in; its message is shown to the user. */
export class SignInProblem extends Error {
  override readonly name = 'SignInProblem';
}
