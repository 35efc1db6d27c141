/** A method for each route. */
import type { RouteName } from '@blockwork/contract';
import { BlockworkApiError, demandObject } from './api-error.js';
import { fileTypes, routes, streams } from './routes.js';
import { textOf, type Transport } from './transport.js';
import type { RouteCalls, UntypedArgs } from './types.js';

export function routeCalls(transport: Transport): RouteCalls {
  const calls = (Object.keys(routes) as RouteName[]).filter(isCall).map((name) => [
    name,
    async (args: UntypedArgs = {}) => {
      demandObject(args, `routes.${name}`, 'args');
      const { response, body } = await transport.call(name, args);
      return { status: response.status, data: dataOf(response, body), headers: response.headers };
    },
  ]);
  // Object.fromEntries loses the names and result types of the calls.
  return Object.fromEntries(calls) as RouteCalls;
}

const isCall = (name: RouteName): boolean => !streams.has(name);

/** Files come as bytes, everything else as JSON. */
function dataOf({ status, headers }: Response, body: ArrayBuffer): unknown {
  if (fileTypes.includes(headers.get('content-type') ?? '')) return new Uint8Array(body);
  try {
    return JSON.parse(textOf(body)) as unknown;
  } catch (cause) {
    const message = `The server answered ${status} with something that is not JSON.`;
    throw new BlockworkApiError(status, { error: 'ANSWER_INVALID', message }, cause);
  }
}
