/** The sandbox of `blockwork serve --sandbox`: emulates Guardian's accounts and surroundings of policies. */
import type { TokenOptions } from '@blockwork/http-koa';
import { createSandbox, type Sandbox } from '@blockwork/sandbox';
import type { Settings } from './settings.js';
import { startupError } from './startup-error.js';

/** The account of the policies' owner, if only this machine can log in. */
const registry = { username: 'registry', password: 'test', role: 'STANDARD_REGISTRY' } as const;

/** `undefined` unless enabled. Throws if an identity provider signs the tokens. */
export function sandboxOf({ sandbox, owner }: Settings, auth: TokenOptions): Sandbox | undefined {
  if (sandbox === 'off') return undefined;
  const { secret, issuer, audience } = auth;
  if (secret === undefined) {
    throw startupError(
      'A sandbox signs tokens itself, but BLOCKWORK_JWKS delegates that to an identity provider. Unset one of them.',
    );
  }
  const [iss] = [issuer ?? []].flat();
  const [aud] = [audience ?? []].flat();
  const isOpen = sandbox === 'any-address';
  return createSandbox({
    secret,
    ...(iss !== undefined && { issuer: iss }),
    ...(aud !== undefined && { audience: aud }),
    accounts: isOpen ? [] : [{ ...registry, did: owner }],
    allowAnyHost: isOpen,
  });
}

export const sandboxLine = ({ sandbox }: Settings): string =>
  sandbox === 'any-address'
    ? 'The sandbox is on, not for production: anyone who can reach this server may register with any role'
    : `The sandbox is on, not for production: log in as "${registry.username}" with the password "${registry.password}", or register`;
