/** Settings of the sandbox: its branding, the operator's account, the order of suggestions. */
import { z } from 'zod';
import type { JsonObject } from '@blockwork/core';
import { checked, created, gone, ok, type SandboxRoute } from '../../requests/endpoint.js';
import { jsonObject } from '../../requests/json-members.js';
import { registryOf } from '../../requests/registry.js';
import type { RouteDeps } from '../route-deps.js';

const text = z.string().max(2_000).nullish();
/** Keys are accepted and dropped: nothing here signs with them. */
const operator = z.object({ operatorId: z.string().max(100).nullish(), operatorKey: text, ipfsStorageApiKey: text });
const branding = z.object({
  ...{ headerColor: text, headerColor1: text, primaryColor: text, companyName: text },
  // Images can be data URLs.
  ...{ companyLogoUrl: z.string().max(500_000).nullish(), loginBannerUrl: z.string().max(500_000).nullish() },
  ...{ faviconUrl: z.string().max(500_000).nullish(), termsAndConditions: z.string().max(100_000).nullish() },
});
const order = z.object({ items: z.array(jsonObject).max(1_000) });

const standardBranding: JsonObject = {
  ...{ headerColor: '#000', headerColor1: '#000', primaryColor: '#2C78F6', companyName: 'Blockwork sandbox' },
  ...{ companyLogoUrl: '/favicon.ico', loginBannerUrl: '', faviconUrl: '/favicon.ico', termsAndConditions: '' },
};

export function settingsRoutes(deps: RouteDeps): SandboxRoute[] {
  const { settings } = deps.books;
  const valueOf = (id: string, byDefault: JsonObject): JsonObject => ({ ...byDefault, ...settings.get(id)?.value });
  return [
    { method: 'GET', path: '/branding', isOpen: true, handle: () => ok(valueOf('branding', standardBranding)) },
    {
      method: 'POST',
      path: '/branding',
      body: 'policy',
      handle: async (call) => {
        const { did: owner } = await registryOf(call);
        await settings.put({ id: 'branding', owner, value: given(checked(call.body, branding)) });
        return gone;
      },
    },
    {
      method: 'GET',
      path: '/settings',
      handle: () => ok({ operatorId: '', ...valueOf('settings', {}), operatorKey: '', ipfsStorageApiKey: '' }),
    },
    {
      method: 'POST',
      path: '/settings',
      body: 'data',
      handle: async (call) => {
        const { did: owner } = await registryOf(call);
        const { operatorId } = checked(call.body, operator);
        await settings.put({ id: 'settings', owner, value: { operatorId: operatorId ?? '' } });
        return created(null);
      },
    },
    {
      method: 'GET',
      path: '/suggestions/config',
      handle: async ({ person }) => ok(valueOf(`suggestions/${(await person()).caller?.did ?? ''}`, { items: [] })),
    },
    {
      method: 'POST',
      path: '/suggestions/config',
      body: 'data',
      handle: async (call) => {
        const { did: owner } = await registryOf(call);
        const value = checked(call.body, order);
        await settings.put({ id: `suggestions/${owner}`, owner, value });
        return created(value);
      },
    },
  ];
}

const given = (members: Readonly<Record<string, string | null | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
