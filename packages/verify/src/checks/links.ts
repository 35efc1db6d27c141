/** Relationships: what builds on what, through the messages of the ledger. */
import type { Stored } from '../contents/bundle.js';
import { type Context, nameOf } from './context.js';

export function checkLinks(context: Context): void {
  const { bundle, findings, messages, byMessage } = context;
  const { documents } = bundle;
  const missing = new Set(bundle.missing);
  const ids = new Set(documents.map(({ id }) => id));
  findings.check('relationships', ids.size === documents.length, 'a document is listed twice');
  findings.check('relationships', messages.size === bundle.messages.length, 'a message is listed twice');
  for (const stored of documents) {
    const { messageId } = stored;
    for (const to of stored.relationships) {
      const isThere = messages.has(to) || missing.has(to);
      findings.check(
        'relationships',
        isThere,
        `${nameOf(stored)} builds on the message ${to}, which is not in the bundle`,
      );
      if (messageId === undefined) continue;
      findings.check('relationships', isEarlier(to, messageId), `${nameOf(stored)} builds on the later message ${to}`);
    }
    if (messageId === undefined) continue;
    const message = messages.get(messageId);
    if (
      !findings.check(
        'relationships',
        message !== undefined || missing.has(messageId),
        `the message of ${nameOf(stored)} is not in the bundle`,
      ) ||
      message === undefined
    )
      continue;
    const isSame = sameMembers(message.relationships, stored.relationships);
    findings.check(
      'relationships',
      isSame,
      `the message of ${nameOf(stored)} names other relationships than the document`,
    );
  }
  for (const { id, hash, relationships } of bundle.messages) {
    const stored = byMessage.get(id);
    for (const to of relationships) {
      findings.check(
        'relationships',
        messages.has(to) || missing.has(to),
        `the message ${id} builds on ${to}, which is not in the bundle`,
      );
    }
    if (stored === undefined) {
      findings.leave(
        'relationships',
        `the message ${id}${hash === '' ? '' : `, of the document ${hash}`}: the bundle does not have its document`,
      );
    }
  }
  const named = new Set([
    ...documents.flatMap(({ messageId }) => messageId ?? []),
    ...[...documents, ...bundle.messages].flatMap(({ relationships }) => relationships),
  ]);
  for (const id of missing) {
    findings.check(
      'relationships',
      named.has(id) && !messages.has(id),
      `the message ${id} is said to be missing, which it is not`,
    );
    findings.leave('relationships', `the message ${id}: the policy's book does not have it`);
  }
  checkConnected(context);
  leavePublicMessages(context);
}

/** Only the ids that the ledger gave can be looked up there. */
function leavePublicMessages({ bundle, findings, messages }: Context): void {
  const sent = bundle.messages.flatMap(({ ledgerId }) => ledgerId ?? []);
  findings.check('relationships', new Set(sent).size === sent.length, 'two messages have one id on the ledger');
  if (bundle.messages.length === 0) return;
  if (sent.length === 0) {
    findings.leave(
      'relationships',
      'that the messages are on a public ledger: the file names no ids there; without such a ledger there are none',
    );
    return;
  }
  const subject = bundle.documents.find(({ id }) => id === bundle.about.documentId);
  const own = messages.get(subject?.messageId ?? '');
  const named = own?.ledgerId === undefined ? '' : `, that of the ${bundle.about.kind} under ${own.ledgerId}`;
  findings.leave(
    'relationships',
    `that ${String(sent.length)} of the ${String(bundle.messages.length)} messages are on the public ledger: look up their ids there ("ledgerId" in the file) and compare the hashes${named}`,
  );
}

/** Every document is the one that the bundle is about, one that it builds on, or the credential of a role. */
function checkConnected({ bundle, findings, byMessage, messages }: Context): void {
  const { about, documents, roles } = bundle;
  const subject = documents.find(({ id }) => id === about.documentId);
  if (!findings.check('relationships', subject !== undefined, 'the document that it is about is missing')) return;
  const reached = new Set<Stored | undefined>([
    subject,
    ...roles.map(({ messageId = '' }) => byMessage.get(messageId)),
  ]);
  const seen = new Set<string>();
  const open = [subject, ...reached].flatMap((each) => each?.relationships ?? []);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const stored = byMessage.get(id);
    reached.add(stored);
    open.push(...(stored?.relationships ?? []), ...(messages.get(id)?.relationships ?? []));
  }
  for (const stored of documents) {
    findings.check('relationships', reached.has(stored), `nothing in the bundle builds on ${nameOf(stored)}`);
  }
}

/** Message ids are consensus times, `<seconds>.<nanoseconds>`. */
function isEarlier(one: string, other: string): boolean {
  const [a, b] = [one, other].map((id) => /^(\d{1,12})\.(\d{9})$/.exec(id));
  if (!a || !b) return false;
  const order = Number(a[1]) - Number(b[1]);
  return order < 0 || (order === 0 && (a[2] ?? '') < (b[2] ?? ''));
}

function sameMembers(one: readonly string[], other: readonly string[]): boolean {
  const [own, others] = [new Set(one), new Set(other)];
  return one.length === other.length && own.size === others.size && one.every((each) => others.has(each));
}
