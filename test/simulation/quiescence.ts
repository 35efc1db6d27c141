/** What must be true once nothing is left to do: all nodes show the same, and both sides of a conversation agree. */
import type { Instance } from './instance.js';
import { CLOCK, CREDITS, PERMITS, policyIdOf, TICK_MS, userOf, type Head } from './policies.js';
import type { Scheduler } from './scheduler.js';

type Report = (invariant: string, problem: string) => void;

/** Every node shows everything, and is asked for it as a caller would. */
export async function checkViews(instances: readonly Instance[], scheduler: Scheduler, report: Report): Promise<void> {
  scheduler.trace.tell('everything is at rest');
  const reading = instances.flatMap(({ nodes, oracle, shape }) =>
    nodes.flatMap(({ engine, name }) =>
      [CREDITS, PERMITS].map(async (policy) => {
        const policyId = policyIdOf(shape.name, policy);
        const tag = policy === CREDITS ? 'deposits' : 'permits';
        const view = await engine?.readBlock<Head & Record<string, number>>(userOf(shape.name, 0), policyId, { tag });
        const { head } = oracle.state(policyId);
        if (view?.count === head.count && view.hash === head.hash) return;
        report(
          'all nodes show the same',
          `${name} shows ${String(view?.count)} of ${policyId}, and there are ${head.count}`,
        );
      }),
    ),
  );
  await Promise.all(reading);
}

/** Each request was carried out once where it was completed, and not where it was not; both sides agree on that. */
export function checkConversations(instances: readonly Instance[], report: Report): void {
  for (const instance of instances) {
    const { oracle, shape } = instance;
    const { votes, answers } = oracle.state(policyIdOf(shape.name, CLOCK));
    for (const request of oracle.requests.values()) {
      const { direction, status, messageId, action, resume } = request;
      if (direction === 'incoming' && action.type === 'send-data') {
        const { vote } = action.data as { vote: string };
        if (votes.has(vote) === (status === 'COMPLETED')) continue;
        report(
          'approvals once',
          `request ${messageId} is ${status}, and its vote ${vote} is ${votes.has(vote) ? '' : 'not '}counted`,
        );
      } else if (direction === 'outgoing' && resume !== undefined && answers.get(messageId) !== status) {
        report(
          'approvals once',
          `request ${messageId} is ${status}, and was resumed with ${String(answers.get(messageId))}`,
        );
      }
    }
  }
  // An instance that lost commits may have forgotten its side.
  if (instances.every(({ oracle }) => oracle.losses === 0))
    for (const each of instances) checkSides(each, instances, report);
}

function checkSides({ oracle, shape }: Instance, instances: readonly Instance[], report: Report): void {
  for (const { direction, startMessageId, sender, status, to, messageId } of oracle.requests.values()) {
    const name = direction === 'outgoing' ? to : sender.instance;
    const other = instances.find((each) => each.shape.name === name);
    const same = [...(other?.oracle.requests.values() ?? [])].find(
      (each) =>
        each.direction !== direction &&
        each.startMessageId === startMessageId &&
        each.sender.instance === sender.instance,
    );
    if (same === undefined || same.status === status) continue;
    report('both sides agree', `request ${messageId} is ${status} at ${shape.name} and ${same.status} at ${name}`);
  }
}

/** While nothing was wrong, every tick was carried out. */
export function checkTicks(instances: readonly Instance[], from: number, to: number, report: Report): void {
  for (const { oracle, shape } of instances) {
    const policyId = policyIdOf(shape.name, CLOCK);
    const { ticks } = oracle.state(policyId);
    for (let due = Math.ceil(from / TICK_MS) * TICK_MS; due < to; due += TICK_MS) {
      const text = new Date(due).toISOString();
      if (!ticks.has(text)) report('timers once', `${policyId} has not run its tick of ${text}`);
    }
  }
}
