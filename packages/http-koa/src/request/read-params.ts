/** Checks the path parameters of a request. */
import type { RouterContext } from '@koa/router';
import { TransportError } from '../answer/transport-error.js';
import { fits } from '@blockwork/contract';
import type { Parameter } from '@blockwork/contract';

/** `captures` are the parameters before decoding: the router decodes them, but keeps invalid escapes as they are. */
export function readParams(
  parameters: readonly (readonly [string, Parameter])[],
  { params, captures }: Pick<RouterContext, 'params' | 'captures'>,
): Record<string, string> {
  for (const capture of captures ?? []) {
    if (capture.includes('%')) assertDecodable(capture);
  }
  for (const [name, parameter] of parameters) {
    if (fits(parameter, params[name] ?? '')) continue;
    const message = `must be ${parameter.form}`;
    throw new TransportError('PARAMETER_INVALID', {
      facts: { name, form: parameter.form },
      details: [{ path: name, message }],
    });
  }
  return params;
}

function assertDecodable(capture: string): void {
  try {
    decodeURIComponent(capture);
  } catch (cause) {
    throw new TransportError('PATH_MALFORMED', { cause });
  }
}
