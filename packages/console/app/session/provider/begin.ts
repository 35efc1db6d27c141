/** Redirects to the provider to sign in or out. */
import type { Provider } from '../../api/settings.js';
import { texts } from '../../texts.js';
import { keepAttempt } from './attempt.js';
import { discover } from './discovery.js';
import { SignInProblem } from './problem.js';

/** The redirect URI: the page itself, without a fragment. */
export const returnAddress = (): string => new URL('.', document.baseURI).href;

/**
 * `asSomebodyElse`: the provider prompts for an account even with an active session. Leaves the page, or rejects with a
 * `SignInProblem`.
 */
export async function beginSignIn(provider: Provider, asSomebodyElse: boolean): Promise<void> {
  // Web Crypto is available only in secure contexts: https, or localhost.
  if (!window.isSecureContext) throw new SignInProblem(texts.provider.insecure);
  const { authorization } = await discover(provider);
  const attempt = {
    state: randomText(),
    nonce: randomText(),
    verifier: randomText(),
    returnTo: window.location.hash,
  };
  keepAttempt(attempt);
  const url = new URL(authorization);
  const parameters = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: returnAddress(),
    scope: provider.scopes.join(' '),
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await challengeOf(attempt.verifier),
    code_challenge_method: 'S256',
    ...(provider.resource !== undefined && { resource: provider.resource }),
    ...(asSomebodyElse && { prompt: 'login' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  window.location.assign(url);
}

/**
 * Also ends the session at the provider, which may prompt. Resolves with `false` if the provider does not support that.
 */
export async function endSession(provider: Provider): Promise<boolean> {
  const endpoints = await discover(provider).catch(() => null);
  const address = endpoints?.endSession;
  if (typeof address !== 'string') return false;
  const url = new URL(address);
  url.searchParams.set('client_id', provider.clientId);
  url.searchParams.set('post_logout_redirect_uri', returnAddress());
  window.location.assign(url);
  return true;
}

/** 256 bits. */
const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** The S256 challenge of a verifier. */
const challengeOf = async (verifier: string): Promise<string> =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
