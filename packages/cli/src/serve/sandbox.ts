/** The sandbox of `blockwork serve --sandbox`: accounts and all else that stands around policies in Guardian. */
import type { TokenOptions } from '@blockwork/http-koa';
import { createSandbox, type Sandbox } from '@blockwork/sandbox';
import type { Settings } from './settings.js';
import { startupError } from './startup-error.js';

/** Of the owner of the policies, where nobody but this machine can log in. */
const registry = { username: 'registry', password: 'test', role: 'STANDARD_REGISTRY' } as const;

/** `undefined` unless it is switched on. Throws where an identity provider signs the tokens. */
export function sandboxOf({ sandbox, owner }: Settings, auth: TokenOptions): Sandbox | undefined {
  if (sandbox === 'off') return undefined;
  const { secret, issuer, audience } = auth;
  if (secret === undefined) {
    throw startupError(
      'A sandbox signs the tokens of its accounts, which BLOCKWORK_JWKS leaves to an identity provider. Unset one.',
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
    ? 'The sandbox is on, not for production: anybody who reaches this server may register as anything'
    : `The sandbox is on, not for production: log in as "${registry.username}" with the password "${registry.password}", or register`;
