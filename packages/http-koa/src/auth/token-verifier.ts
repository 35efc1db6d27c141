/** Checks the signature, algorithm, issuer and audience of tokens, through koa-jwt. */
import koaJwt from 'koa-jwt';
import type { KeyObject } from 'node:crypto';
import { AuthenticationError } from './authentication-error.js';
import type { AuthenticationProblem } from './authentication-error.js';
import { decodeHeader } from './token-header.js';
import type { KeyAlgorithm, VerificationKey } from './verification-key.js';

export interface TokenRules {
  /** Accepted values of `iss`; not checked when absent. */
  readonly issuer?: string | readonly string[];
  /** Accepted values of `aud`; not checked when absent. */
  readonly audience?: string | readonly string[];
}

/** Resolves with the payload. Time is left to the claims, which know the clock. */
export type TokenVerifier = (token: string) => Promise<unknown>;

interface Candidate {
  readonly kid: string | undefined;
  readonly algorithm: KeyAlgorithm;
  readonly middleware: koaJwt.Middleware;
}

export function tokenVerifier(keys: readonly VerificationKey[], rules: TokenRules): TokenVerifier {
  const candidates = keys.map((key): Candidate => ({
    kid: key.kid,
    algorithm: key.algorithm,
    middleware: koaJwt(settings(key, rules)),
  }));
  return async (token) => {
    const { kid, alg } = decodeHeader(token);
    const candidate = choose(candidates, kid, alg);
    if (candidate.algorithm !== alg) {
      throw new AuthenticationError('algorithm', `The token is signed with ${alg}, which its key is not for.`);
    }
    return run(candidate.middleware, token);
  };
}

/** A `kid` decides alone. Without one, the only key, or the only one for the algorithm. */
function choose(candidates: readonly Candidate[], kid: string | undefined, alg: string): Candidate {
  const named = kid === undefined ? [] : candidates.filter((candidate) => candidate.kid === kid);
  const possible = candidates.filter((candidate) => kid === undefined || candidate.kid === undefined);
  const fitting = possible.length > 1 ? possible.filter((candidate) => candidate.algorithm === alg) : possible;
  const chosen = named[0] ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (chosen === undefined)
    throw new AuthenticationError('key', 'The token is signed with a key that is not known here.');
  return chosen;
}

function settings(key: VerificationKey, rules: TokenRules): koaJwt.Options {
  const options = {
    // The types of koa-jwt know text and bytes only, while a KeyObject passes through and is far cheaper.
    secret: key.key as KeyObject & string,
    algorithms: [key.algorithm],
    key: 'payload',
    getToken: (context: { readonly state: { readonly token?: unknown } }) => String(context.state.token),
    ...(rules.issuer === undefined ? {} : { issuer: list(rules.issuer) }),
    ...(rules.audience === undefined ? {} : { audience: list(rules.audience) }),
    // Handed on to jsonwebtoken, which would ask the machine for the time.
    ignoreExpiration: true,
    ignoreNotBefore: true,
  };
  return options;
}

const list = (value: string | readonly string[]): string[] => (typeof value === 'string' ? [value] : [...value]);

/**
 * Runs the middleware on a context of our own: on the context of a host's application, its `ctx.state.secret`
 * would silently replace the key.
 */
async function run(middleware: koaJwt.Middleware, token: string): Promise<unknown> {
  const state: { token: string; payload?: unknown } = { token };
  const bare = {
    state,
    throw: (_status: number, message: string, facts?: { originalError?: unknown }): never => {
      throw refusal(facts?.originalError ?? new Error(message));
    },
  };
  await middleware(bare as unknown as Parameters<koaJwt.Middleware>[0], () => Promise.resolve());
  return state.payload;
}

const problems: readonly (readonly [RegExp, AuthenticationProblem, string])[] = [
  [/^jwt audience invalid/, 'audience', 'The token is meant for another audience.'],
  [/^jwt issuer invalid/, 'issuer', 'The token comes from another issuer.'],
  [/signature/, 'signature', 'The signature of the token is not valid.'],
];

/** jsonwebtoken tells its reasons apart by their text alone. */
function refusal(cause: unknown): AuthenticationError {
  const text = cause instanceof Error ? cause.message : String(cause);
  const [, problem, message] = problems.find(([pattern]) => pattern.test(text)) ?? [
    null,
    'malformed' as const,
    'The token is malformed.',
  ];
  return new AuthenticationError(problem, message, cause);
}
