/** Handlers of the routes about the notifications of the caller. */
import type { HandlersOf, RoutesOf } from './call.js';
import { ok, okPage, rangeOf } from './replies.js';

export const notificationHandlers: HandlersOf<RoutesOf<'Notifications'>> = {
  listNotifications: async ({ engine, caller, query: { unread, ...page } }) => {
    const range = rangeOf({ pageIndex: page.pageIndex ?? 0, pageSize: page.pageSize });
    return okPage(await engine.notifications.list(caller, { ...range, unread: unread === 'true' }));
  },
  readNotification: async ({ engine, caller, params }) =>
    ok(await engine.notifications.markRead(caller, params.notificationId)),
  readAllNotifications: async ({ engine, caller }) => {
    await engine.notifications.markAllRead(caller);
    return ok({});
  },
  removeNotification: async ({ engine, caller, params }) => {
    await engine.notifications.remove(caller, params.notificationId);
    return ok({});
  },
};
