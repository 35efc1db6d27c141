/** A method for each route. */
import type { RouteName } from '@blockwork/contract';
import { BlockworkApiError, demandObject } from './api-error.js';
import { routes, streams } from './routes.js';
import type { Transport } from './transport.js';
import type { RouteCalls, UntypedArgs } from './types.js';

export function routeCalls(transport: Transport): RouteCalls {
  const calls = (Object.keys(routes) as RouteName[]).filter(isCall).map((name) => [
    name,
    async (args: UntypedArgs = {}) => {
      demandObject(args, `routes.${name}`, 'args');
      const response = await transport.call(name, args);
      return { status: response.status, data: await dataOf(response), headers: response.headers };
    },
  ]);
  // The type of Object.fromEntries keeps neither the names nor what each call returns.
  return Object.fromEntries(calls) as RouteCalls;
}

const isCall = (name: RouteName): boolean => !streams.has(name);

/** Files come as bytes, everything else as JSON. */
async function dataOf(response: Response): Promise<unknown> {
  const isFile = response.headers.get('content-type') === 'application/zip';
  return isFile ? new Uint8Array(await response.arrayBuffer()) : json(response);
}

async function json(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const message = `The server answered ${response.status} with something that is not JSON.`;
    throw new BlockworkApiError(response.status, { error: 'ANSWER_INVALID', message }, cause);
  }
}
