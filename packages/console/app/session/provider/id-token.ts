/**
 * Validates the claims of the ID token. It came directly from the provider over TLS, so its signature need not be checked
 * (OpenID Connect Core 1.0, 3.1.3.7); the server verifies the access token.
 */
import type { Provider } from '../../api/settings.js';
import { texts } from '../../texts.js';
import { claimsOf, expiryOf } from '../json-web-token.js';
import { SignInProblem } from './problem.js';

/** Tolerated clock skew in milliseconds. */
const SKEW_MS = 5 * 60_000;

/** Throws a `SignInProblem`. */
export function assertIdToken(idToken: string, { issuer, clientId }: Provider, nonce: string): void {
  const claims = claimsOf(idToken) ?? {};
  const audience = [claims['aud']].flat();
  const isForUs = audience.includes(clientId) && (claims['azp'] ?? clientId) === clientId;
  const isFresh = (expiryOf(claims) ?? 0) + SKEW_MS > Date.now();
  if (claims['iss'] !== issuer || !isForUs || !isFresh || claims['nonce'] !== nonce)
    throw new SignInProblem(texts.provider.notAsked);
}
