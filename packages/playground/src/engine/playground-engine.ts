/** An engine in memory with its HTTP interface, as a function from `Request` to `Response`. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, type Logger, type LogFields, recentLog } from '@blockwork/core';
import { AuthenticationError, createPolicyHandler, type PolicyHandler } from '@blockwork/http-fetch';
import { callerOf, registry } from '../people.js';

export interface PlaygroundEngine {
  readonly handler: PolicyHandler;
  close(): Promise<void>;
}

/** The paths of the API begin with `/api/v1`, whatever the origin of the request. */
export function createPlaygroundEngine(): PlaygroundEngine {
  const log = recentLog({ to: browserLogger });
  const engine = createEngine({
    blocks: standardBlocks(),
    logger: log,
    recentLog: log,
    operators: [registry.did],
    // Everybody tries the policy that the registry edits.
    drafts: 'shared',
    secrets: { get: () => Promise.resolve(undefined) },
  });
  const handler = createPolicyHandler(engine, {
    logger: log,
    authenticate: (request) => {
      const token = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
      const caller = callerOf(token);
      if (caller !== undefined) return caller;
      throw new AuthenticationError('malformed', 'The playground knows only the people that it came with.');
    },
  });
  return { handler, close: () => engine.close() };
}

const toConsole =
  (level: 'debug' | 'info' | 'warn' | 'error') =>
  (message: string, fields?: LogFields): void => {
    if (level === 'warn' || level === 'error') console[level](message, fields ?? '');
  };

const browserLogger: Logger = {
  debug: toConsole('debug'),
  info: toConsole('info'),
  warn: toConsole('warn'),
  error: toConsole('error'),
};
