/**
 * Completes a sign-in: removes the provider's response from the address, checks it, and exchanges the code for a
 * token.
 */
import { loadSettings, type Provider } from '../../api/settings.js';
import { texts } from '../../texts.js';
import { claimsOf, expiryOf } from '../json-web-token.js';
import { addPerson } from '../people.js';
import { askProvider, hostOf } from './ask-provider.js';
import { type Attempt, takeAttempt } from './attempt.js';
import { returnAddress } from './begin.js';
import { callerOf } from './caller.js';
import { discover } from './discovery.js';
import { SignInProblem } from './problem.js';

/** Resolves with an error message for the user; `undefined` without a provider's response, or after success. */
export async function finishSignIn(): Promise<string | undefined> {
  const answer = new URLSearchParams(window.location.search);
  if (!answer.has('code') && !answer.has('error')) return undefined;
  const attempt = takeAttempt();
  const screen = attempt?.returnTo.startsWith('#/') === true ? attempt.returnTo : '';
  window.history.replaceState(null, '', window.location.pathname + screen);
  try {
    const { provider } = await loadSettings();
    const isAsked = attempt !== null && answer.get('state') === attempt.state;
    if (provider === undefined || !isAsked) throw new SignInProblem(texts.provider.notAsked);
    addPerson(await personOfAnswer(provider, attempt, answer));
    return undefined;
  } catch (error) {
    return error instanceof SignInProblem ? error.message : texts.provider.serverAway;
  }
}

async function personOfAnswer(
  provider: Provider,
  attempt: Attempt,
  answer: URLSearchParams,
): Promise<Parameters<typeof addPerson>[0]> {
  const host = hostOf(provider);
  const endpoints = await discover(provider);
  const names = answer.get('iss');
  // Detects a mix-up attack: the response of another provider (RFC 9207).
  if (names === null ? endpoints.namesItself : names !== provider.issuer)
    throw new SignInProblem(texts.provider.notAsked);
  const error = answer.get('error');
  if (error !== null) {
    const words = texts.provider.refusals[error] ?? texts.provider.refused;
    throw new SignInProblem(words(host, answer.get('error_description') ?? error));
  }
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: answer.get('code') ?? '',
    redirect_uri: returnAddress(),
    client_id: provider.clientId,
    code_verifier: attempt.verifier,
    ...(provider.resource !== undefined && { resource: provider.resource }),
  });
  const { isOk, answer: tokens } = await askProvider(provider, endpoints.token, body);
  const { access_token: token, id_token: idToken } = tokens;
  if (!isOk) throw new SignInProblem(texts.provider.codeRefused(host, reasonIn(tokens)));
  if (typeof token !== 'string' || typeof idToken !== 'string') throw new SignInProblem(texts.provider.unusable(host));
  assertIdToken(idToken, provider, attempt.nonce);
  const claims = claimsOf(token);
  return { ...(await callerOf(token)), token, expires: claims && expiryOf(claims), isFromProvider: true };
}

const reasonIn = ({ error, error_description: described }: Readonly<Record<string, unknown>>): string =>
  [described, error].find((text): text is string => typeof text === 'string') ?? '';

/** Tolerated clock skew in milliseconds. */
const SKEW_MS = 5 * 60_000;

/** Throws a `SignInProblem`. */
function assertIdToken(idToken: string, { issuer, clientId }: Provider, nonce: string): void {
  const claims = claimsOf(idToken) ?? {};
  const audience = [claims['aud']].flat();
  const isForUs = audience.includes(clientId) && (claims['azp'] ?? clientId) === clientId;
  const isFresh = (expiryOf(claims) ?? 0) + SKEW_MS > Date.now();
  if (claims['iss'] !== issuer || !isForUs || !isFresh || claims['nonce'] !== nonce)
    throw new SignInProblem(texts.provider.notAsked);
}
