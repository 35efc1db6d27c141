/** The conformance suite for links. */
import type { Link } from '@blockwork/core/adapter';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { type LinkCase, losing } from './link-case.js';
import { closing } from './link-closing.js';
import { publishing } from './link-publishing.js';
import { subscribing } from './link-subscribing.js';

export interface LinkConformanceTarget {
  /** Opens a new, empty link for each case. */
  open(): Promise<{
    /** Opens a connection to it. The suite closes it. */
    connect(): Promise<Link>;
    /**
     * Makes the link lose all its messages while connections are open, as an operator or a disk does. Without it, the
     * promises about losses are skipped.
     */
    wipe?(): Promise<void>;
    /** Removes the link, after all its connections are closed. */
    remove?(): Promise<void>;
  }>;
  /** Promises that the link does not keep, each with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
}

const areas: Readonly<Record<string, readonly LinkCase[]>> = { publishing, subscribing, losing, closing };

/**
 * Declares the suite with vitest; call it at the top of a test file:
 * `linkConformance('MyLink', { open: async () => ({ connect: () => connectToMyLink() }) })`.
 * Throws for a skip of an unknown promise or without a reason.
 */
export function linkConformance(name: string, target: LinkConformanceTarget): void {
  const skip = target.skip ?? {};
  assertSkips(skip);
  describe(`${name} as a link`, () => {
    let opened: Awaited<ReturnType<LinkConformanceTarget['open']>>;
    let connections: Link[] = [];
    let topics = 0;
    const connect = async (): Promise<Link> => {
      const link = await opened.connect();
      connections.push(link);
      return link;
    };

    beforeEach(async () => {
      opened = await target.open();
    });
    afterEach(async () => {
      for (const link of connections) await link.close();
      connections = [];
      await opened.remove?.();
    });

    for (const [area, cases] of Object.entries(areas)) {
      describe(area, () => {
        for (const { promise, check } of cases) {
          const reason = skip[promise];
          if (reason !== undefined) it.skip(`${promise} (skipped: ${reason})`, () => undefined);
          else
            it(promise, async ({ skip: skipNow }) => {
              const wipe = opened.wipe?.bind(opened) ?? (() => skipNow('the target cannot wipe its link'));
              await check(await connect(), { connect, wipe, topic: () => `topic/${String((topics += 1))}` });
            });
        }
      });
    }
  });
}

function assertSkips(skip: Readonly<Record<string, string>>): void {
  const promises = new Set(Object.values(areas).flatMap((cases) => cases.map(({ promise }) => promise)));
  for (const [promise, reason] of Object.entries(skip)) {
    if (!promises.has(promise)) throw new Error(`There is no promise "${promise}" to skip.`);
    if (reason.trim() === '') throw new Error(`Say why "${promise}" is skipped.`);
  }
}
