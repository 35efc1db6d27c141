/** Requests to the provider, without cookies and with a timeout. */
import type { Provider } from '../../api/settings.js';
import { texts } from '../../texts.js';
import { SignInProblem } from './problem.js';

/** Milliseconds. */
const TIMEOUT_MS = 15_000;

export const hostOf = ({ issuer }: Provider): string => new URL(issuer).host;

/** Resolves with the JSON object of the response, whatever its status. Rejects with a `SignInProblem`. */
export async function askProvider(
  provider: Provider,
  url: string,
  body?: URLSearchParams,
): Promise<{ readonly isOk: boolean; readonly answer: Readonly<Record<string, unknown>> }> {
  try {
    const response = await fetch(url, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer: unknown = await response.json();
    if (typeof answer !== 'object' || answer === null) throw new Error('The answer is no object.');
    return { isOk: response.ok, answer: answer as Readonly<Record<string, unknown>> };
  } catch {
    throw new SignInProblem(texts.provider.away(hostOf(provider)));
  }
}
