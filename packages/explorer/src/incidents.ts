/** Incidents of an exploration, deduplicated, each with the shortest way seen. */
import type { Move } from './move.js';

/** Key by which an incident is recognized when its way is shortened. */
export interface Found {
  readonly kind: 'refusal' | 'failure' | 'internal';
  readonly code: string;
  readonly block: string;
}

export interface SeenIncident extends Found {
  readonly message: string;
  times: number;
  readonly by: Set<string>;
  /** The moves up to and including the one that caused it. */
  path: readonly Move[];
}

/** Clients hide or reject actions that these codes refuse. */
const hiddenByClients: ReadonlySet<string> = new Set([
  'BUTTON_NOT_OFFERED',
  'ALREADY_PRESSED',
  'ALREADY_DECIDED',
  'NOTHING_TO_CONFIRM',
]);

export class Incidents {
  readonly #seen = new Map<string, SeenIncident>();

  meet({ kind, code, block }: Found, message: string, who: string, path: readonly Move[]): void {
    if (kind === 'refusal' && hiddenByClients.has(code)) return;
    const key = JSON.stringify([kind, code, block]);
    const incident = this.#seen.get(key);
    if (incident === undefined) {
      this.#seen.set(key, { kind, code, block, message, times: 1, by: new Set([who]), path: [...path] });
      return;
    }
    incident.times += 1;
    incident.by.add(who);
    if (path.length < incident.path.length) incident.path = [...path];
  }

  of(kind: Found['kind']): SeenIncident[] {
    return [...this.#seen.values()].filter((incident) => incident.kind === kind);
  }

  /** The refusals at a block, or downstream of data sent to it. */
  at(block: string): SeenIncident | undefined {
    return [...this.#seen.values()].find((each) => each.path.at(-1)?.block === block || each.block === block);
  }
}
