/**
 * Letters in the database: rows that the receiving node moves to a claim of its own, and deletes once it has received
 * them. The statement that writes them also notifies; it is separate from record commits, which therefore never wait
 * for it.
 *
 * A reply that fits is also sent in the notification, which saves its recipient a statement. The row serves nodes that
 * missed the notification; others delete it with their next statement.
 *
 * Commits are asynchronous (not flushed): nothing durable depends on letters, so a crash may lose the latest ones, and
 * the database serializes notifying commits, so that each would wait for the flushes of all before it.
 */
import type { Ids, Timers } from '@blockwork/core';
import type { Letter, Letters } from '@blockwork/core/adapter';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { nameOf } from '../codec/name.js';
import type { Connections } from '../connection/connections.js';
import type { Doorbell } from '../doorbell/doorbell.js';
import type { Tables } from '../schema/tables.js';
import { KEY_CHARACTERS, newKey, parseKey, seal, unseal } from './sealed-notes.js';

export interface LettersDeps {
  readonly connections: Connections;
  readonly tables: Tables;
  readonly ids: Ids;
  readonly timers: Timers;
  readonly doorbell: Doorbell;
  readonly assertOpen: () => void;
}

/** Characters PostgreSQL rejects in a text. */
const unsafe = /[\0\p{Surrogate}]/u;
/** The first character gives the encoding of the rest. */
const encodeText = (text: string): string => (unsafe.test(text) ? `j${JSON.stringify(text)}` : `t${text}`);
const decodeText = (body: string): string =>
  body.startsWith('j') ? (JSON.parse(body.slice(1)) as string) : body.slice(1);
/** Precedes a body: the reply key, the name of its node, and a line break, which no name contains. */
const REPLY_KEY = 'k';

/** `id`: by its name in the database. */
const letterKey = (nodeId: string, id: string): string => `${nameOf(nodeId)}\n${id}`;

const NODES_AT_MOST = 1_000;
const DELIVERED_AT_MOST = 10_000;
/** Delay before rows delivered by notification are deleted if no other statement does it. */
const DELETE_MS = 1_000;

export class PostgresLetters implements Letters {
  /** Claims whose letters were received and can be deleted. */
  #readClaims: string[] = [];
  /** Claims that may hold letters, because the answer was lost. */
  #unreadClaims: string[] = [];
  /** Keys of the nodes notified through this connection, by name. */
  readonly #ownKeys = new Map<string, Buffer>();
  /** Keys of other nodes, by name. */
  readonly #replyKeys = new LRUCache<string, Buffer>({ max: NODES_AT_MOST });
  /** Ids of letters delivered by notification, whose rows are yet to be deleted. */
  #notifiedIds: string[] = [];
  #isDeleteScheduled = false;
  /** How recent letters were delivered, for deduplication: a reply may arrive in up to two notifications and as a row. */
  readonly #delivered = new LRUCache<string, 'notified' | 'taken'>({ max: DELIVERED_AT_MOST });

  constructor(private readonly deps: LettersDeps) {}

  async send(letters: readonly Letter[]): Promise<void> {
    if (letters.length === 0) return;
    const notifications = letters
      .filter(({ isAwaited }) => isAwaited !== true)
      .map((letter) => this.#notificationOf(letter));
    // The id makes the insert idempotent if the statement is retried.
    const text = `with written as (
 insert into ${this.deps.tables.letter} (recipient, id, sent, body)
 select l.recipient, l.id, clock_timestamp(), l.body from unnest($1::text[], $2::text[], $3::text[]) as l(recipient, id, body)
 on conflict (recipient, id) do nothing),
 gone as (${this.#deleteSql('$6', '$7')})
 select pg_notify(c.name, c.payload) from unnest($4::text[], $5::text[]) as c(name, payload)`;
    await this.#runWithDeletes((notified) =>
      this.#run(text, [
        letters.map(({ to }) => nameOf(to)),
        letters.map(({ id }) => nameOf(id)),
        letters.map((letter) => this.#encode(letter)),
        notifications.map(({ channel }) => channel),
        notifications.map(({ payload }) => payload),
        ...notified,
      ]),
    );
  }

  /** Idempotent: a retry after a lost answer finds the letters it has already moved. */
  async take(nodeId: string): Promise<string[]> {
    const { letter } = this.deps.tables;
    const [claim, read, unread] = [this.#newClaim(), this.#readClaims.splice(0), this.#unreadClaims.splice(0)];
    const text = `with emptied as (delete from ${letter} where recipient = any($3::text[])),
 gone as (${this.#deleteSql('$5', '$6')}),
 moved as (update ${letter} set recipient = $2 where recipient = $1 and id <> all($6::text[]) returning id, body, sent)
 select id, body, sent from moved union all select id, body, sent from ${letter} where recipient = any($4::text[]) order by sent`;
    try {
      const rows = await this.#runWithDeletes((notified) =>
        this.#run<{ id: string; body: string }>(text, [nameOf(nodeId), claim, read, [claim, ...unread], ...notified]),
      );
      if (rows.length > 0) this.#readClaims.push(claim, ...unread);
      const fresh = rows.filter(({ id }) => this.#delivered.get(letterKey(nodeId, id)) !== 'notified');
      for (const { id } of fresh) this.#delivered.set(letterKey(nodeId, id), 'taken');
      return fresh.map(({ body }) => this.#decode(body));
    } catch (error) {
      this.#readClaims.push(...read);
      this.#unreadClaims.push(claim, ...unread);
      throw error;
    }
  }

  async retract(to: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { letter } = this.deps.tables;
    const known = new Map(ids.map((id) => [nameOf(id), id]));
    const claim = this.#newClaim();
    const text = `with moved as (update ${letter} set recipient = $2 where recipient = $1 and id = any($3::text[]) returning id)
 select id from moved union all select id from ${letter} where recipient = $2`;
    try {
      const rows = await this.#run<{ id: string }>(text, [nameOf(to), claim, [...known.keys()]]);
      return new Set(rows.map(({ id }) => known.get(id) ?? id));
    } finally {
      // Only now: a retried statement would otherwise find its claim empty.
      this.#readClaims.push(claim);
    }
  }

  subscribe(nodeId: string, listener: (texts?: readonly string[]) => void): () => void {
    const key = newKey();
    this.#ownKeys.set(nameOf(nodeId), key);
    return this.deps.doorbell.hear(this.#channelOf(nodeId), (payload) => {
      const note = unseal(key, payload);
      if (note === null) {
        listener();
        return;
      }
      this.#notifiedIds.push(note.id);
      this.#scheduleDelete();
      const known = letterKey(nodeId, note.id);
      if (this.#delivered.has(known)) return;
      this.#delivered.set(known, 'notified');
      listener([decodeText(note.text)]);
    });
  }

  /** The notification of a letter. */
  #notificationOf({ id, to, text, isReply }: Letter): { channel: string; payload: string } {
    const key = isReply === true ? this.#replyKeys.get(nameOf(to)) : undefined;
    const payload = key && seal(key, { id: nameOf(id), text: encodeText(text) }, this.deps.ids.uuid());
    return { channel: this.#channelOf(to), payload: payload ?? '' };
  }

  #encode({ text, from }: Letter): string {
    const name = from === undefined ? undefined : nameOf(from);
    const key = name === undefined ? undefined : this.#ownKeys.get(name);
    return key === undefined
      ? encodeText(text)
      : `${REPLY_KEY}${key.toString('base64')}${name ?? ''}\n${encodeText(text)}`;
  }

  #decode(body: string): string {
    if (!body.startsWith(REPLY_KEY)) return decodeText(body);
    const end = body.indexOf('\n');
    const key = parseKey(body.slice(1, 1 + KEY_CHARACTERS));
    if (key !== null) this.#replyKeys.set(body.slice(1 + KEY_CHARACTERS, end), key);
    return decodeText(body.slice(end + 1));
  }

  /** Runs a statement that also deletes the rows of letters delivered by notification. */
  async #runWithDeletes<T>(
    run: (notified: readonly [recipients: readonly string[], ids: readonly string[]]) => Promise<T>,
  ): Promise<T> {
    const ids = this.#notifiedIds;
    this.#notifiedIds = [];
    try {
      return await run([[...this.#ownKeys.keys()], ids]);
    } catch (error) {
      this.#notifiedIds.push(...ids);
      throw error;
    }
  }

  #deleteSql(recipients: string, ids: string): string {
    return `delete from ${this.deps.tables.letter} where recipient = any(${recipients}::text[]) and id = any(${ids}::text[])`;
  }

  #scheduleDelete(): void {
    if (this.#isDeleteScheduled) return;
    this.#isDeleteScheduled = true;
    this.deps.timers.after(DELETE_MS, () => void this.#delete(), 'background');
  }

  async #delete(): Promise<void> {
    this.#isDeleteScheduled = false;
    if (this.#notifiedIds.length === 0) return;
    // The rest is deleted with the next statement, or after a day.
    await this.#runWithDeletes((notified) => this.#run(this.#deleteSql('$1', '$2'), notified)).catch(() => undefined);
  }

  /** A recipient that holds the letters moved by one call. Matches no node: `nameOf` never emits `\t`. */
  #newClaim(): string {
    return `\\t${this.deps.ids.uuid()}`;
  }

  /** One channel per node, so that a letter wakes only its recipient. */
  #channelOf(nodeId: string): string {
    const { schemaName } = this.deps.tables;
    return `blockwork_${createHash('sha256').update(`${schemaName} ${nodeId}`).digest('hex').slice(0, 32)}`;
  }

  #run<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    this.deps.assertOpen();
    return this.deps.connections.transient<Row>({ text, values: [...values] });
  }
}
