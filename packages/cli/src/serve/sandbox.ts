/** The sandbox of `blockwork serve --sandbox`: emulates Guardian's accounts and surroundings of policies. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isBlockworkError, type PolicyStore } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import type { TokenOptions } from '@blockwork/http-koa';
import {
  createSandbox,
  sandboxStateIn,
  type GivenAccount,
  type Sandbox,
  type SandboxOptions,
} from '@blockwork/sandbox';
import { isPolicyFile } from '../policies/policy-folder.js';
import { jsonIn } from './json-file.js';
import type { Settings } from './settings.js';
import { startupError } from './startup-error.js';

/** The account of the policies' owner, if only this machine can log in and no file configures it otherwise. */
const registry = { username: 'registry', password: 'test', role: 'STANDARD_REGISTRY' } as const;

/**
 * `undefined` unless enabled. Accounts and virtual users are kept in the data folder, or in the database. Rejects if an identity provider signs
 * the tokens, and for files that cannot be used.
 */
export async function sandboxOf(
  settings: Settings,
  auth: TokenOptions,
  store: PolicyStore,
): Promise<Sandbox | undefined> {
  const { sandbox, sandboxFiles, owner, database, data } = settings;
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
  const options: SandboxOptions = {
    secret,
    ...(iss !== undefined && { issuer: iss }),
    ...(aud !== undefined && { audience: aud }),
    ...(database === undefined ? { folder: data } : { state: await sandboxStateIn(store) }),
    ...(sandboxFiles.messages !== undefined && { messages: await messagesIn(sandboxFiles.messages) }),
    allowAnyHost: isOpen,
  };
  const standard = isOpen ? [] : [{ ...registry, did: owner }];
  return sandboxFiles.accounts === undefined
    ? createSandbox({ ...options, accounts: standard })
    : withAccounts(options, standard, sandboxFiles.accounts);
}

export function sandboxLine({ sandbox, sandboxFiles: { accounts } }: Settings): string {
  const line = 'The sandbox is on, not for production:';
  if (sandbox === 'any-address') return `${line} anyone who can reach this server may register with any role`;
  if (accounts !== undefined) return `${line} log in with an account of ${accounts}, or register`;
  return `${line} log in as "${registry.username}" with the password "${registry.password}", or register`;
}

/** The accounts of a file, and the standard ones whose names it does not use. */
async function withAccounts(
  options: SandboxOptions,
  standard: readonly GivenAccount[],
  file: string,
): Promise<Sandbox> {
  const listed = await readable('BLOCKWORK_SANDBOX_ACCOUNTS', file, () => jsonIn(file));
  if (!Array.isArray(listed)) throw startupError(`The accounts in ${file} are invalid: they must be a list.`);
  const names = listed.map((each: unknown) => (isObject(each) ? each['username'] : undefined));
  const others = standard.filter(({ username }) => !names.includes(username));
  try {
    // The sandbox checks the form of the listed ones.
    return createSandbox({ ...options, accounts: [...(listed as GivenAccount[]), ...others] });
  } catch (error) {
    if (!isBlockworkError(error, 'OPTION_INVALID') || !String(error.facts.option).startsWith('sandbox.accounts'))
      throw error;
    throw startupError(`The accounts in ${file} are invalid: ${error.message}`);
  }
}

/** The policy files of a folder, each named after the id of its message. */
async function messagesIn(folder: string): Promise<Map<string, Uint8Array>> {
  const read = async (): Promise<Map<string, Uint8Array>> => {
    const files = (await readdir(folder)).filter(isPolicyFile);
    const entries = files.map(
      async (file) => [file.replace(/\.policy(\.json)?$/, ''), await readFile(join(folder, file))] as const,
    );
    return new Map(await Promise.all(entries));
  };
  return readable('BLOCKWORK_SANDBOX_MESSAGES', folder, read);
}

async function readable<Content>(variable: string, path: string, read: () => Promise<Content>): Promise<Content> {
  try {
    return await read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error;
    throw startupError(`${variable} names ${path}, which cannot be read (${code}).`);
  }
}
