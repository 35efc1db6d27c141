/** The outcome of a verification: what holds, what is wrong, and what cannot be decided offline. */

export type Topic =
  | 'bundle'
  | 'policy'
  | 'keys'
  | 'signatures'
  | 'schemas'
  | 'roles'
  | 'relationships'
  | 'amounts'
  | 'supply'
  | 'log'
  | 'entries';

export interface Finding {
  readonly topic: Topic;
  readonly message: string;
}

/** A document in the order of the story. */
export interface Chapter {
  readonly date: string;
  readonly what: string;
  readonly by: string;
  readonly roles: readonly string[];
}

export interface Report {
  /** Whether nothing is wrong, and every signature was checked. Read `unchecked`, too. */
  readonly ok: boolean;
  /** What the bundle is about, in one sentence. */
  readonly title: string;
  readonly chapters: readonly Chapter[];
  /** Number of checks that hold, by topic. */
  readonly held: Readonly<Partial<Record<Topic, number>>>;
  readonly wrong: readonly Finding[];
  /** What nobody can decide from the bundle alone, and how to find out. */
  readonly unchecked: readonly Finding[];
}

/** Collects the outcome of checks. */
export class Findings {
  readonly held: Partial<Record<Topic, number>> = {};
  readonly wrong: Finding[] = [];
  readonly unchecked: Finding[] = [];
  /** Number of signatures that were not checked. */
  unproven = 0;
  readonly #left = new Set<string>();

  /** Returns whether it holds. */
  check(topic: Topic, holds: boolean, message: string): boolean {
    if (holds) this.held[topic] = (this.held[topic] ?? 0) + 1;
    else this.fail(topic, message);
    return holds;
  }

  fail(topic: Topic, message: string): void {
    this.wrong.push({ topic, message });
  }

  /** A signature that cannot be checked: what it is for is not proven. */
  leaveUnproven(message: string): void {
    this.unproven += 1;
    this.leave('signatures', message);
  }

  leave(topic: Topic, message: string): void {
    if (this.#left.has(message)) return;
    this.#left.add(message);
    this.unchecked.push({ topic, message });
  }
}
