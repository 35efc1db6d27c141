/** The sender of a request: an account of the sandbox, or another caller with a valid token. */
import type { Caller } from '@blockwork/core';
import type { HttpRequest, LayerHost } from '@blockwork/http';
import { identityOf, type Account } from '../accounts/account.js';
import type { AccountBook } from '../accounts/account-book.js';
import type { SessionTokens } from '../accounts/session-tokens.js';
import { SandboxError } from '../errors.js';

export interface Person {
  /** `null` for callers with foreign tokens whose DID matches no account. */
  readonly account: Account | null;
  /** `null` for an account without a DID, unless it is an auditor's. */
  readonly caller: Caller | null;
}

const personOf = (account: Account): Person => {
  const { username, role } = account;
  const did = identityOf(account);
  return { account, caller: did === null ? null : { did, username, role } };
};

/** Throws `NO_IDENTITY`. */
export function callerOf({ caller }: Person): Caller {
  if (caller === null) throw new SandboxError('NO_IDENTITY');
  return caller;
}

export class People {
  constructor(
    private readonly host: LayerHost,
    private readonly accounts: AccountBook,
    private readonly tokens: SessionTokens,
  ) {}

  /** Rejects with an `AuthenticationError`, or `TOKEN_REFUSED`. */
  async of(request: HttpRequest): Promise<Person> {
    const session = this.tokens.ofAccess(bearer(request.header('authorization')));
    if (session !== undefined) return personOf(session.account);
    const caller = await this.host.authenticate(request);
    return { account: this.accounts.byDid(caller.did) ?? null, caller };
  }
}

const bearer = (header = ''): string => /^bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
