/** Why nobody was signed in by the provider, in words for the reader. */
export class SignInProblem extends Error {
  override readonly name = 'SignInProblem';
}
