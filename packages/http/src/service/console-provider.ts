/** Sign-in to the console at an OpenID provider: the page's settings, and the one origin it may connect to. */
import { z } from 'zod';
import { isLoopbackName } from '../auth/loopback.js';

/** A public client of the provider: the page has no secret. */
export interface ConsoleProvider {
  /**
   * The issuer, an `https:` address, or `http:` on a loopback address. Its discovery document and its token endpoint are at the same origin,
   * the only one besides the server that the page may ask.
   */
  readonly issuer: string;
  readonly clientId: string;
  /** The requested scopes, including `openid`. Default `openid profile`. */
  readonly scopes?: readonly string[];
  /** Resource indicator for access tokens (RFC 8707), if the provider requires it. */
  readonly resource?: string;
}

/** The provider's entry in `settings.json`. */
export type ConsoleProviderSettings = ConsoleProvider & Required<Pick<ConsoleProvider, 'scopes'>>;

const form = 'must be an https: address without query and fragment, or http: on a loopback address';
const scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'must be a scope without spaces and quotes');

export const consoleProviderShape = z.strictObject({
  issuer: z.string().refine((text) => text.length <= 2000 && isIssuer(text), form),
  clientId: z.string().min(1, 'must not be empty').max(500, 'must have at most 500 characters'),
  scopes: z
    .array(scope)
    .max(50, 'must be at most 50 scopes')
    .refine((scopes) => scopes.includes('openid'), 'must have openid among them')
    .optional(),
  resource: z
    .string()
    .refine(
      (text) => text.length <= 2000 && URL.canParse(text) && !text.includes('#'),
      'must be an absolute URI without fragment',
    )
    .optional(),
});

export const providerSettings = (provider: ConsoleProvider): ConsoleProviderSettings => ({
  ...provider,
  scopes: provider.scopes ?? ['openid', 'profile'],
});

export const originOf = ({ issuer }: ConsoleProvider): string => new URL(issuer).origin;

function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname));
}
