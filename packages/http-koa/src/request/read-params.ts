/** Path parameters of a request, checked against the contract. */
import type { RouterContext } from '@koa/router';
import { TransportError } from '../answer/transport-error.js';
import { fits } from '../contract/parameter.js';
import type { Parameter } from '../contract/parameter.js';

/**
 * `captures` are the parameters as they stand in the path. The router decodes them, but lets broken escapes
 * pass as if they were meant.
 */
export function readParams(
  parameters: readonly (readonly [string, Parameter])[],
  { params, captures }: Pick<RouterContext, 'params' | 'captures'>,
): Record<string, string> {
  for (const capture of captures ?? []) {
    if (capture.includes('%')) decode(capture);
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

function decode(capture: string): void {
  try {
    decodeURIComponent(capture);
  } catch (cause) {
    throw new TransportError('PATH_MALFORMED', { cause });
  }
}
