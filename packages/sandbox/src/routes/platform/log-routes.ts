/** The log of the instance, as the reference shows it to registries. */
import type { LogLine } from '@blockwork/core';
import { z } from 'zod';
import { checked, ok, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { registryOf } from '../../requests/registry.js';
import type { RouteDeps } from '../route-deps.js';

const time = z.union([z.string().max(100), z.number()]).nullish();
const wanted = z.looseObject({
  type: z.string().max(20).nullish(),
  ...{ startDate: time, endDate: time },
  attributes: z.array(z.string().max(200)).max(100).nullish(),
  message: z.string().max(1_000).nullish(),
  pageIndex: z.coerce.number().int().min(0).max(1_000_000).nullish(),
  pageSize: z.coerce.number().int().min(1).max(1_000).nullish(),
  sortDirection: z.string().max(10).nullish(),
});
type Wanted = z.infer<typeof wanted>;

export const logRoutes = (deps: RouteDeps): SandboxRoute[] => [
  {
    method: 'POST',
    path: '/logs',
    body: 'data',
    handle: async (call) => {
      const query = checked(call.body, wanted);
      const matching = (await lines(deps, call)).filter((line) => matches(line, query));
      if (query.sortDirection === 'asc') matching.reverse();
      const { pageIndex, pageSize } = query;
      const [index, size] = [pageIndex ?? 0, pageSize ?? 100];
      return ok({ totalCount: matching.length, logs: matching.slice(index * size, (index + 1) * size) });
    },
  },
  {
    method: 'GET',
    path: '/logs/attributes',
    handle: async (call) => {
      const name = (call.query.get('name') ?? '').toLowerCase();
      const existing = (call.query.get('existingAttributes') ?? '').split(',');
      const all = new Set((await lines(deps, call)).flatMap(({ attributes }) => attributes));
      return ok(
        [...all]
          .filter((each) => each.toLowerCase().includes(name) && !existing.includes(each))
          .sort()
          .slice(0, 20),
      );
    },
  },
];

interface ShownLine {
  readonly id: string;
  readonly type: string;
  readonly datetime: string;
  readonly message: string;
  readonly attributes: readonly string[];
  readonly userId: null;
}

/** The whole log belongs to the instance; here anybody can become a registry, so the sandbox asks for them as its operator. */
const operator = { did: 'did:example:sandbox:operator', role: 'OPERATOR' };

/** Newest first; none if the instance keeps no lines. */
async function lines({ engine }: RouteDeps, call: SandboxCall): Promise<ShownLine[]> {
  await registryOf(call);
  const { items } = await engine.operation.log(operator, { limit: 1_000 });
  return items.map(shown);
}

const shown = ({ at, level, message, requestId, fields }: LogLine, index: number): ShownLine => ({
  id: `${String(Date.parse(at))}-${String(index)}`,
  type: level.toUpperCase(),
  datetime: at,
  message,
  attributes: ['BLOCKWORK', ...(requestId === null ? [] : [requestId]), ...Object.entries(fields).map(attribute)],
  userId: null,
});

const attribute = ([name, value]: [string, unknown]): string => `${name}: ${String(value)}`;

function matches(line: ShownLine, { type, startDate, endDate, attributes, message }: Wanted): boolean {
  const at = Date.parse(line.datetime);
  return (
    (!type || line.type === type.toUpperCase()) &&
    (!message || line.message.toLowerCase().includes(message.toLowerCase())) &&
    (!attributes || attributes.every((each) => line.attributes.includes(each))) &&
    (!startDate || at >= new Date(startDate).getTime()) &&
    (!endDate || at <= new Date(endDate).getTime())
  );
}
