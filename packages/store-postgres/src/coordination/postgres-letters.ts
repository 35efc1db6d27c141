/**
 * Letters in the database: rows that are moved to whoever takes them, and deleted when that is known to have worked. The statement that
 * writes them also notifies; it is no commit of records, so these do not wait for it.
 *
 * None of it waits for the disk. Nothing rests on letters, so a database that crashes may forget the latest ones, and statements that
 * notify are committed one after another in the whole database: each would wait for the flushes of all those before it.
 */
import type { Ids } from '@blockwork/core';
import type { Letter, Letters } from '@blockwork/core/adapter';
import { createHash } from 'node:crypto';
import { nameOf } from '../codec/name.js';
import type { Connections } from '../connection/connections.js';
import type { Doorbell } from '../doorbell/doorbell.js';
import type { Tables } from '../schema/tables.js';

export interface LettersDeps {
  readonly connections: Connections;
  readonly tables: Tables;
  readonly ids: Ids;
  readonly doorbell: Doorbell;
  readonly assertOpen: () => void;
}

/** What PostgreSQL refuses in a text. */
const unsafe = /[\0\p{Surrogate}]/u;
/** The first character says how the rest is written. */
const bodyOf = (text: string): string => (unsafe.test(text) ? `j${JSON.stringify(text)}` : `t${text}`);
const textIn = (body: string): string => (body.startsWith('j') ? (JSON.parse(body.slice(1)) as string) : body.slice(1));

export class PostgresLetters implements Letters {
  /** Hands that were read, and may be emptied. */
  #read: string[] = [];
  /** Hands of which it is not known whether anything came into them. */
  #unread: string[] = [];

  constructor(private readonly deps: LettersDeps) {}

  async send(letters: readonly Letter[]): Promise<void> {
    if (letters.length === 0) return;
    const channels = new Set(
      letters.filter(({ isAwaited }) => isAwaited !== true).map(({ to }) => this.#channelOf(to)),
    );
    // Under the same id a letter lies there once, however often the statement has to be sent.
    const text = `with written as (
 insert into ${this.deps.tables.letter} (recipient, id, sent, body)
 select l.recipient, l.id, clock_timestamp(), l.body from unnest($1::text[], $2::text[], $3::text[]) as l(recipient, id, body)
 on conflict (recipient, id) do nothing)
 select pg_notify(c.name, '') from unnest($4::text[]) as c(name)`;
    await this.#run(text, [
      letters.map(({ to }) => nameOf(to)),
      letters.map(({ id }) => nameOf(id)),
      letters.map((letter) => bodyOf(letter.text)),
      [...channels],
    ]);
  }

  /** Repeated after a lost answer, the statement finds what it has moved before. */
  async take(nodeId: string): Promise<string[]> {
    const { letter } = this.deps.tables;
    const [hand, read, unread] = [this.#newHand(), this.#read.splice(0), this.#unread.splice(0)];
    const text = `with emptied as (delete from ${letter} where recipient = any($3::text[])),
 moved as (update ${letter} set recipient = $2 where recipient = $1 returning body, sent)
 select body, sent from moved union all select body, sent from ${letter} where recipient = any($4::text[]) order by sent`;
    try {
      const rows = await this.#run<{ body: string }>(text, [nameOf(nodeId), hand, read, [hand, ...unread]]);
      if (rows.length > 0) this.#read.push(hand, ...unread);
      return rows.map(({ body }) => textIn(body));
    } catch (error) {
      this.#read.push(...read);
      this.#unread.push(hand, ...unread);
      throw error;
    }
  }

  async retract(to: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { letter } = this.deps.tables;
    const known = new Map(ids.map((id) => [nameOf(id), id]));
    const hand = this.#newHand();
    const text = `with moved as (update ${letter} set recipient = $2 where recipient = $1 and id = any($3::text[]) returning id)
 select id from moved union all select id from ${letter} where recipient = $2`;
    try {
      const rows = await this.#run<{ id: string }>(text, [nameOf(to), hand, [...known.keys()]]);
      return new Set(rows.map(({ id }) => known.get(id) ?? id));
    } finally {
      // Not before: a repeated statement would find its hand emptied.
      this.#read.push(hand);
    }
  }

  subscribe(nodeId: string, listener: () => void): () => void {
    return this.deps.doorbell.hear(this.#channelOf(nodeId), listener);
  }

  /** A recipient that no node is: `nameOf` puts no such letter after the escape. */
  #newHand(): string {
    return `\\t${this.deps.ids.uuid()}`;
  }

  /** One for each node, so that a letter wakes nobody else. */
  #channelOf(nodeId: string): string {
    const { schemaName } = this.deps.tables;
    return `blockwork_${createHash('sha256').update(`${schemaName} ${nodeId}`).digest('hex').slice(0, 32)}`;
  }

  #run<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    this.deps.assertOpen();
    return this.deps.connections.transient<Row>({ text, values: [...values] });
  }
}
