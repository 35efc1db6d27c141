/** Notifications from policies to users, kept in an inbox for each of them. */

export const notificationTypes = ['INFO', 'SUCCESS', 'WARN', 'ERROR'] as const;
export type NotificationType = (typeof notificationTypes)[number];

export interface Notification {
  id: string;
  /** The identity whose inbox it is in. */
  did: string;
  policyId: string;
  title: string;
  message: string;
  type: NotificationType;
  /** Opening the notification opens the policy. */
  opensPolicy: boolean;
  /** Whether it belongs to a trial, with which it is deleted. */
  trial: boolean;
  read: boolean;
  createDate: string;
}
