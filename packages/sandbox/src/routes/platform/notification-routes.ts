/** Notifications, where the reference differs from the interface. */
import { BlockworkError } from '@blockwork/core';
import { ok, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import type { RouteDeps } from '../route-deps.js';

export const notificationRoutes = ({ engine }: RouteDeps): SandboxRoute[] => [
  {
    method: 'DELETE',
    path: '/notifications/delete/{notificationId}',
    // This one and all older ones, as the list of the web client does.
    handle: async ({ params, person }) => {
      const caller = callerOf(await person());
      const { notificationId: id = '' } = params;
      const { items } = await engine.notifications.list(caller);
      const at = items.findIndex((notification) => notification.id === id);
      if (at === -1) throw new BlockworkError('NOTIFICATION_UNKNOWN', { facts: { id } });
      const old = items.slice(at);
      for (const notification of old) await engine.notifications.remove(caller, notification.id);
      return ok(old.length);
    },
  },
];
