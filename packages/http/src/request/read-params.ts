/** Decodes and checks the path parameters of a request. */
import { fits } from '@blockwork/contract';
import type { Parameter } from '@blockwork/contract';
import { TransportError } from '../answer/transport-error.js';

/** `captures` are the parameters as they stand in the path. */
export function readParams(
  parameters: readonly (readonly [string, Parameter])[],
  captures: Readonly<Record<string, string>>,
): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name] of parameters) params[name] = decoded(captures[name] ?? '');
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

function decoded(capture: string): string {
  if (!capture.includes('%')) return capture;
  try {
    return decodeURIComponent(capture);
  } catch (cause) {
    throw new TransportError('PATH_MALFORMED', { cause });
  }
}
