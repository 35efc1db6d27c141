/** The links between a topic and its parent, which readers follow from one to the other. */
import { topicLinkText, type TopicLink } from '../forms/message-form.js';
import { inOnePiece, type Planned } from './planned.js';

export const LINK_MEMO = 'Topic creation message';

interface Ends {
  readonly topic: string;
  readonly parent: string | null;
  /** How many of the links are there. */
  readonly sent: number;
}

/** One in the topic, and one in the parent. */
export function nextOfLinks(
  link: Omit<TopicLink, 'childId' | 'parentId'>,
  { topic, parent, sent }: Ends,
): Planned | undefined {
  if (sent === 0) return inOnePiece(topic, topicLinkText({ ...link, childId: null, parentId: parent }), LINK_MEMO);
  if (sent === 1 && parent !== null)
    return inOnePiece(parent, topicLinkText({ ...link, childId: topic, parentId: null }), LINK_MEMO);
  return undefined;
}
