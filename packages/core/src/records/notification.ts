/** Notifications: what policies tell people, kept in an inbox for each of them. */

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
  /** Of a policy that is only tried: it goes with the trial. */
  trial: boolean;
  read: boolean;
  createDate: string;
}
