/** Placeholder responses of the right shape for pages of the reference's web client. */
import { created, ok, page, type SandboxRoute } from '../../requests/endpoint.js';

/** Public. */
const open: Readonly<Record<string, unknown>> = { '/map/key': null, '/map/sh': null };

const fixed: Readonly<Record<string, unknown>> = {
  '/settings/about': { version: 'Blockwork sandbox' },
  '/notifications/new': [],
  '/notifications/progresses': [],
  '/policies/methodologies/categories': [],
  '/policies/{policyId}/multiple': null,
  '/projects/properties': [],
};

/** Empty lists with a total. */
const lists = [
  '/contracts',
  '/contracts/retire',
  '/contracts/retire/requests',
  '/contracts/retire/pools',
  '/contracts/wipe/requests',
];

const get = (path: string, handle: SandboxRoute['handle'], isOpen = false): SandboxRoute => ({
  ...{ method: 'GET', path, handle, isOpen, state: 'empty' },
});

export const pageRoutes = (): SandboxRoute[] => [
  ...Object.entries(open).map(([path, body]) => get(path, () => ok(body), true)),
  ...Object.entries(fixed).map(([path, body]) => get(path, () => ok(body))),
  ...lists.map((path) => get(path, ({ query }) => page([], query))),
  get('/settings/environment', () => ({ status: 200, plain: 'testnet' })),
  { method: 'POST', path: '/policies/methodologies/search', body: 'data', state: 'empty', handle: () => created([]) },
];
