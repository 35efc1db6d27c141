/** The token settings: the server's own secret, or an identity provider and the mapping of its claims. */
import { isAbsolute, resolve } from 'node:path';
import { createSecretKey, type KeyObject } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { isBlockworkError } from '@blockwork/core/block';
import { consoleProviderShape, TokenAuthenticator, type ConsoleProvider, type TokenOptions } from '@blockwork/http-koa';
import { z } from 'zod';

const text = z.string().max(2000, 'must have at most 2000 characters').optional();

const pair = /^([^=,]+(?:=[^=,]+)*)=(\w+)$/;

/** The schema of each variable. Messages are appended to the variable's name. */
export const tokenEnvironment = {
  BLOCKWORK_JWT_SECRET: z
    .string()
    .refine((secret) => Buffer.byteLength(secret) >= 32, 'must have at least 32 bytes (256 bits)')
    .optional(),
  BLOCKWORK_JWT_ISSUER: text,
  BLOCKWORK_JWT_AUDIENCE: text,
  BLOCKWORK_JWKS: text,
  BLOCKWORK_SUBJECT: text,
  BLOCKWORK_ROLE_CLAIM: text,
  BLOCKWORK_ROLES: z
    .string()
    .refine(
      (list) => list.split(',').every((entry) => pair.test(entry.trim())),
      'must be pairs such as "admins=STANDARD_REGISTRY,members=USER"; "*=USER" applies to everyone else',
    )
    .optional(),
  BLOCKWORK_CONSOLE_CLIENT: text,
  BLOCKWORK_CONSOLE_SCOPES: text,
  BLOCKWORK_CONSOLE_RESOURCE: text,
};
type TokenVariables = z.infer<z.ZodObject<typeof tokenEnvironment>>;

export interface TokenSettings {
  /** If `undefined` and there is no identity provider, one is generated and kept in the data folder. */
  readonly secret: string | undefined;
  /** Everything but the secret. */
  readonly rules: Pick<TokenOptions, 'keySet' | 'subject' | 'roles'> & {
    readonly issuer?: string;
    readonly audience?: string;
  };
  /** The provider for signing in to the console; without one, users paste a token or open the demonstration's address. */
  readonly provider: ConsoleProvider | undefined;
}

type Complain = (variable: keyof TokenVariables, message: string) => void;

/** Combines individually validated variables; inconsistencies are reported to `complain`. */
export function tokenSettings(read: TokenVariables, complain: Complain): TokenSettings {
  const { BLOCKWORK_JWT_SECRET: secret, BLOCKWORK_JWKS: jwks, BLOCKWORK_ROLES: roles } = read;
  const { BLOCKWORK_JWT_ISSUER: issuer, BLOCKWORK_JWT_AUDIENCE: audience, BLOCKWORK_SUBJECT: subject } = read;
  const { BLOCKWORK_ROLE_CLAIM: claim } = read;
  if (jwks === undefined) {
    for (const name of ['BLOCKWORK_SUBJECT', 'BLOCKWORK_ROLE_CLAIM', 'BLOCKWORK_ROLES'] as const) {
      if (read[name] !== undefined) complain(name, 'requires an identity provider: set BLOCKWORK_JWKS, too');
    }
  } else {
    if (secret !== undefined)
      complain('BLOCKWORK_JWT_SECRET', 'and BLOCKWORK_JWKS are mutually exclusive: set only one');
    // Otherwise a token for any other service of the provider would be accepted here.
    if (issuer === undefined) complain('BLOCKWORK_JWT_ISSUER', 'is required with BLOCKWORK_JWKS');
    if (audience === undefined) complain('BLOCKWORK_JWT_AUDIENCE', 'is required with BLOCKWORK_JWKS');
    if (roles !== undefined && claim === undefined)
      complain('BLOCKWORK_ROLE_CLAIM', 'is required with BLOCKWORK_ROLES');
  }
  const rules = {
    ...(issuer === undefined ? {} : { issuer }),
    ...(audience === undefined ? {} : { audience }),
    ...(jwks === undefined ? {} : { keySet: { url: addressOf(jwks) } }),
    ...(subject === undefined ? {} : { subject }),
    ...(claim === undefined ? {} : { roles: { claim, ...rolesOf(roles) } }),
  };
  assertUsable(rules, complain);
  return { secret, rules, provider: consoleProvider(read, complain) };
}

const providerVariables: Readonly<Record<string, keyof TokenVariables>> = {
  issuer: 'BLOCKWORK_JWT_ISSUER',
  clientId: 'BLOCKWORK_CONSOLE_CLIENT',
  scopes: 'BLOCKWORK_CONSOLE_SCOPES',
  resource: 'BLOCKWORK_CONSOLE_RESOURCE',
};

/** Users sign in at the provider whose tokens the server accepts. */
function consoleProvider(read: TokenVariables, complain: Complain): ConsoleProvider | undefined {
  const { BLOCKWORK_CONSOLE_CLIENT: clientId, BLOCKWORK_JWT_ISSUER: issuer, BLOCKWORK_JWKS: jwks } = read;
  const { BLOCKWORK_CONSOLE_SCOPES: scopes, BLOCKWORK_CONSOLE_RESOURCE: resource } = read;
  if (clientId === undefined) {
    for (const name of ['BLOCKWORK_CONSOLE_SCOPES', 'BLOCKWORK_CONSOLE_RESOURCE'] as const) {
      if (read[name] !== undefined)
        complain(name, 'requires signing in at a provider: set BLOCKWORK_CONSOLE_CLIENT, too');
    }
    return undefined;
  }
  if (jwks === undefined)
    complain('BLOCKWORK_CONSOLE_CLIENT', 'requires an identity provider: set BLOCKWORK_JWKS, too');
  if (jwks === undefined || issuer === undefined) return undefined;
  const provider: ConsoleProvider = {
    issuer,
    clientId,
    ...(scopes !== undefined && { scopes: scopes.split(/[\s,]+/).filter((scope) => scope !== '') }),
    ...(resource !== undefined && { resource }),
  };
  for (const { path, message } of consoleProviderShape.safeParse(provider).error?.issues ?? []) {
    complain(providerVariables[String(path[0])] ?? 'BLOCKWORK_CONSOLE_CLIENT', `is invalid: it ${message}`);
  }
  return provider;
}

/** Relative paths are resolved against the working directory. */
const addressOf = (address: string): string =>
  isAbsolute(address) || !URL.canParse(address) ? pathToFileURL(resolve(address)).href : address;

function rolesOf(list: string | undefined): Partial<NonNullable<TokenOptions['roles']>> {
  if (list === undefined) return {};
  const pairs = list.split(',').map((entry) => {
    const [, value = '', role = ''] = pair.exec(entry.trim()) ?? [];
    return { value, role };
  });
  const values = pairs.filter(({ value }) => value !== '*');
  const otherwise = pairs.find(({ value }) => value === '*')?.role;
  return { ...(values.length > 0 && { values }), ...(otherwise !== undefined && { otherwise }) };
}

const variableOf: Readonly<Record<string, keyof TokenVariables>> = {
  'auth.subject': 'BLOCKWORK_SUBJECT',
  'auth.keySet.url': 'BLOCKWORK_JWKS',
};

/** Validates the options with a throw-away secret, so that mistakes show before the start. */
function assertUsable(rules: TokenSettings['rules'], complain: Complain): void {
  const secret: KeyObject = createSecretKey(Buffer.alloc(32));
  try {
    new TokenAuthenticator({ secret, ...rules });
  } catch (error) {
    if (!isBlockworkError(error, 'OPTION_INVALID')) throw error;
    const variable = variableOf[String(error.facts['option'])];
    if (variable === undefined) throw error;
    complain(variable, `is invalid: ${String(error.facts['reason'])}`);
  }
}
