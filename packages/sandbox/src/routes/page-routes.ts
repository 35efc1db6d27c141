/** Placeholder responses of the right shape for pages of the reference's web client. */
import { created, ok, page, type SandboxRoute } from '../requests/endpoint.js';

const branding = {
  ...{ headerColor: '#000', headerColor1: '#000', primaryColor: '#2C78F6', companyName: 'Blockwork sandbox' },
  ...{ companyLogoUrl: '/favicon.ico', loginBannerUrl: '', faviconUrl: '/favicon.ico', termsAndConditions: '' },
};

/** Public. */
const open: Readonly<Record<string, unknown>> = { '/map/key': null, '/map/sh': null, '/branding': branding };

const fixed: Readonly<Record<string, unknown>> = {
  '/settings': { ipfsStorageApiKey: '', operatorId: '', operatorKey: '' },
  '/settings/about': { version: 'Blockwork sandbox' },
  '/notifications/new': [],
  '/notifications/progresses': [],
  '/record/{policyId}/status': null,
  '/policies/blocks/about': {},
  '/policies/methodologies/categories': [],
  '/policies/{policyId}/multiple': null,
  '/modules/menu': [],
  '/tools/menu/all': [],
  '/themes': [],
  '/projects/properties': [],
  '/suggestions/config': { items: [] },
};

/** Empty lists with a total. */
const lists = ['/contracts', '/contracts/retire', '/modules', '/tools'];

const get = (path: string, handle: SandboxRoute['handle'], isOpen = false): SandboxRoute => ({
  ...{ method: 'GET', path, handle, isOpen },
});

export const pageRoutes = (): SandboxRoute[] => [
  ...Object.entries(open).map(([path, body]) => get(path, () => ok(body), true)),
  ...Object.entries(fixed).map(([path, body]) => get(path, () => ok(body))),
  ...lists.map((path) => get(path, ({ query }) => page([], query))),
  get('/settings/environment', () => ({ status: 200, plain: 'testnet' })),
  { method: 'POST', path: '/policies/methodologies/search', body: 'data', handle: () => created([]) },
];
