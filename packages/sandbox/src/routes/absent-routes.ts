/** Operations of the reference that a sandbox cannot do, each with the reason that it answers. */
import { SandboxError } from '../errors.js';
import type { SandboxRoute } from '../requests/endpoint.js';

const reasons = {
  contracts: 'contracts are programs on a public network, and a sandbox has none',
  network: 'the data would have to come from a public network, and a sandbox has none',
  migration: 'documents are not carried over from one policy to another; begin a next version, which keeps its own',
  wizard: 'there is no wizard for policies; begin an empty draft, or clone a policy',
  ai: 'there is no language model behind it',
  metrics: 'metrics are served outside of this interface, at /metrics of the server',
} as const;

type Absent = readonly [reason: keyof typeof reasons, method: SandboxRoute['method'], ...paths: string[]];

const contract = '/contracts/{contractId}';
const [retire, wipe] = ['/contracts/retire', '/contracts/wipe'];

const absent: readonly Absent[] = [
  ['contracts', 'POST', '/contracts', '/contracts/import'],
  ['contracts', 'DELETE', contract],
  ['contracts', 'GET', `${contract}/permissions`],
  ['contracts', 'POST', `${retire}/pools/{poolId}/retire`, `${retire}/requests/{requestId}/approve`],
  ['contracts', 'DELETE', `${retire}/pools/{poolId}`, `${retire}/requests/{requestId}`],
  ['contracts', 'DELETE', `${retire}/requests/{requestId}/cancel`],
  ['contracts', 'POST', `${retire}/{contractId}/pools`, `${retire}/{contractId}/pools/sync`],
  ['contracts', 'DELETE', `${retire}/{contractId}/pools`, `${retire}/{contractId}/requests`],
  ['contracts', 'POST', `${retire}/{contractId}/admin/{hederaId}`],
  ['contracts', 'DELETE', `${retire}/{contractId}/admin/{hederaId}`],
  ['contracts', 'POST', `${wipe}/requests/{requestId}/approve`],
  ['contracts', 'DELETE', `${wipe}/requests/{requestId}/reject`, `${wipe}/{contractId}/requests`],
  ['contracts', 'POST', `${wipe}/{contractId}/requests/enable`, `${wipe}/{contractId}/requests/disable`],
  ...(['admin', 'manager', 'wiper'] as const).flatMap((role): Absent[] => [
    ['contracts', 'POST', `${wipe}/{contractId}/${role}/{hederaId}`],
    ['contracts', 'DELETE', `${wipe}/{contractId}/${role}/{hederaId}`],
  ]),
  ['network', 'POST', '/policies/{policyId}/multiple'],
  ['network', 'PUT', '/profiles/restore/{username}', '/profiles/restore/topics/{username}'],
  ['migration', 'POST', '/policies/migrate-data', '/policies/push/migrate-data'],
  ['wizard', 'POST', '/wizard/policy', '/wizard/push/policy', '/wizard/{policyId}/config'],
  ['ai', 'GET', '/ai-suggestions/ask'],
  ['ai', 'PUT', '/ai-suggestions/rebuild-vector'],
  ['metrics', 'GET', '/metrics'],
];

/** The reason of each. */
export const absentReasons: ReadonlyMap<SandboxRoute, string> = new Map(
  absent.flatMap(([reason, method, ...paths]) =>
    paths.map((path) => [absentRoute(method, path, reasons[reason]), reasons[reason]]),
  ),
);

/** They need a token like all others, so that they tell strangers nothing. */
export const absentRoutes: readonly SandboxRoute[] = [...absentReasons.keys()];

function absentRoute(method: SandboxRoute['method'], path: string, reason: string): SandboxRoute {
  const handle = (): never => {
    throw new SandboxError('NOT_IN_SANDBOX', { reason });
  };
  return { method, path, state: 'absent', handle };
}
