/** The provider's endpoints, from its metadata (OpenID Connect Discovery 1.0). */
import type { Provider } from '../../api/settings.js';
import { texts } from '../../texts.js';
import { askProvider, hostOf } from './ask-provider.js';
import { SignInProblem } from './problem.js';

export interface Endpoints {
  readonly authorization: string;
  readonly token: string;
  /** `null` if the provider has no end-session endpoint. */
  readonly endSession: string | null;
  /** Whether authorization responses contain `iss` (RFC 9207). */
  readonly namesItself: boolean;
}

/** Rejects with a `SignInProblem`. */
export async function discover(provider: Provider): Promise<Endpoints> {
  const { issuer } = provider;
  const { isOk, answer } = await askProvider(provider, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const refuse = (): SignInProblem => new SignInProblem(texts.provider.unusable(hostOf(provider)));
  if (!isOk || answer['issuer'] !== issuer) throw refuse();
  const { origin, protocol } = new URL(issuer);
  const page = (name: string): string | null => {
    const url = answer[name];
    // The page redirects there, so other schemes, such as javascript:, are refused.
    return typeof url === 'string' && URL.canParse(url) && new URL(url).protocol === protocol ? url : null;
  };
  const [authorization, token] = [page('authorization_endpoint'), page('token_endpoint')];
  const methods: unknown = answer['code_challenge_methods_supported'] ?? ['S256'];
  if (authorization === null || token === null || new URL(token).origin !== origin) throw refuse();
  if (!Array.isArray(methods) || !methods.includes('S256')) throw refuse();
  return {
    authorization,
    token,
    endSession: page('end_session_endpoint'),
    namesItself: answer['authorization_response_iss_parameter_supported'] === true,
  };
}
