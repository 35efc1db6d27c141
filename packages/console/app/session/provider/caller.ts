/** Resolves the identity of a token through the server, which maps the provider's claims to users and roles. */
import { texts } from '../../texts.js';
import { SignInProblem } from './problem.js';

interface Caller {
  readonly did: string;
  readonly username?: string;
  readonly role?: string;
}

/** Rejects with a `SignInProblem` if the server rejects the token; `notTaken` makes its message. */
export async function callerOf(
  token: string,
  rejectedText: (reason: string) => string = texts.provider.notTaken,
): Promise<{ readonly did: string; readonly name: string; readonly role: string }> {
  const answer = await fetch(new URL('caller', document.baseURI), { headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok) {
    const { message } = (await answer.json()) as { readonly message?: string };
    throw new SignInProblem(rejectedText(message ?? String(answer.status)));
  }
  const { did, username, role = '' } = (await answer.json()) as Caller;
  return { did, name: username ?? did, role };
}
