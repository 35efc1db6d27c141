/** Routes about the notifications of the caller. */
import { z } from 'zod';
import { refused, totalCount } from '../answers.js';
import { component } from '../component.js';
import { notificationId } from '../parameter.js';
import { boundedPageQuery } from '../query-parameters.js';
import { timestamp } from '../records/identifiers.js';
import { route } from '../route.js';

const notification = component(
  'Notification',
  z.looseObject({
    id: z.string(),
    policyId: z.string(),
    title: z.string(),
    message: z.string(),
    type: z.enum(['INFO', 'SUCCESS', 'WARN', 'ERROR']),
    opensPolicy: z.boolean().describe('Whether opening the notification opens its policy.'),
    trial: z.boolean().describe('Whether it belongs to a trial, with which it is deleted.'),
    read: z.boolean(),
    createDate: timestamp,
  }),
);

const ofCaller = { permission: 'POLICIES_POLICY_READ', body: { kind: 'none' } } as const;

export const notificationRoutes = {
  listNotifications: route({
    method: 'GET',
    path: '/notifications',
    summary: 'Lists the notifications of the caller, newest first.',
    ...ofCaller,
    params: {},
    query: {
      kind: 'listed',
      schema: boundedPageQuery.extend({
        unread: z.enum(['true', 'false']).optional().describe('`true`: only unread ones.'),
      }),
    },
    answers: {
      200: { description: 'One page.', schema: z.array(notification), headers: totalCount },
      ...refused(422),
    },
  }),
  readNotification: route({
    method: 'PUT',
    path: '/notifications/{notificationId}/read',
    summary: 'Marks a notification of the caller as read.',
    ...ofCaller,
    params: { notificationId },
    query: { kind: 'none' },
    answers: { 200: { description: 'The notification.', schema: notification }, ...refused(400, 404) },
  }),
  readAllNotifications: route({
    method: 'POST',
    path: '/notifications/read/all',
    summary: 'Marks all notifications of the caller as read.',
    ...ofCaller,
    params: {},
    query: { kind: 'none' },
    answers: { 200: { description: 'Done.', schema: z.object({}) }, ...refused() },
  }),
  removeNotification: route({
    method: 'DELETE',
    path: '/notifications/{notificationId}',
    summary: 'Deletes a notification of the caller.',
    ...ofCaller,
    params: { notificationId },
    query: { kind: 'none' },
    answers: { 200: { description: 'Done.', schema: z.object({}) }, ...refused(400, 404) },
  }),
} as const;
