/** The order in which a send and a read call what a program can hook in: observed while an engine does both. */
import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { setImmediate } from 'node:timers/promises';
import { table } from '../reference/markdown-table.mjs';

/** What each hook is for. A send and a read call all of them, and no others that are observed. */
const purposes = {
  'the permissions of the caller': 'May the caller use policies at all? Nothing was looked up before.',
  'telemetry: `send` starts': 'The unit of work waits in the lane of its policy, then begins.',
  'telemetry: `read` starts': 'The read begins; it waits for no lane.',
  'store: revisions': 'What the unit, or the answer, is valid for.',
  'store: memberships': "The caller's roles and groups in the policy.",
  '`isOpen` of a container': 'Is the block open to the user? Asked of each container above it.',
  '`input` of the block': 'Validates the data.',
  '`receive` of the block': 'Handles the data and emits events.',
  '`onChildRun` of a container': 'Is told before one of its blocks runs.',
  '`on` of the next block': 'Handles an event, in the same unit of work.',
  'ledger: `check`': 'The external ledger may refuse an effect before it enters the book.',
  '`read` of the block': 'Answers. The context has no writers.',
  'telemetry: `commit` starts': 'The changes are complete. Units that are ready together share a commit.',
  'store: `commit`': 'All or nothing, and only if the revisions are still those that the unit began with.',
  'telemetry: `commit` ends': 'The changes are there for everybody.',
  'notifications: `deliver`': 'What is in the inboxes now may also be sent elsewhere.',
  'telemetry: `send` ends': 'Committed; or failed, with nothing changed.',
  'telemetry: `read` ends': 'The answer is complete.',
  'the answer': 'What the caller waited for.',
  'telemetry: `settle` starts': 'In the background, in the order of commits.',
  'ledger: `settle`': 'Carries the effect out, at least once under the same id.',
  'telemetry: `settle` ends': 'Settled; or failed, to be tried again.',
};

/**
 * The tables of a send and a read. `code`: the entry points of core, and `z`. Throws where a hook is called without a purpose, or not at
 * all.
 */
export async function hooksTables(code) {
  const { send, read } = await observedHooks(code);
  const missing = Object.keys(purposes).filter((hook) => ![...send, ...read].includes(hook));
  if (missing.length > 0) throw new Error(`Neither a send nor a read calls ${missing.join(', ')}.`);
  return { send: numbered(send), read: numbered(read) };
}

const numbered = (hooks) => table(['step', 'what is called', 'what for'], hooks.map(row));
const row = (hook, at) => [String(at + 1), hook, purposes[hook] ?? ''];

async function observedHooks(code) {
  const calls = [];
  const called = (hook) => {
    if (calls.at(-1) !== hook) calls.push(hook);
  };
  const { engine, caller, policyId, settled } = await startPolicy(code, called);
  const stop = observeChannels(['read', 'send', 'commit', 'settle'], called);
  const during = async (work) => {
    await settled();
    calls.length = 0;
    await work();
    called('the answer');
    await settled();
    return [...calls];
  };
  try {
    const send = await during(() => engine.sendToBlock(caller, policyId, { tag: 'form' }, {}));
    const read = await during(() => engine.readBlock(caller, policyId, { tag: 'form' }));
    return { send, read };
  } finally {
    stop();
    await engine.close();
  }
}

/** A published policy with a form in a container, and a block after it that concerns the ledger and an inbox. */
async function startPolicy({ core, kit, z }, called) {
  const { createEngine, MemoryStore, permissions, silentLogger } = core;
  const outer = kit.defineBlock({
    ...named('outer', 'container'),
    children: 'any',
    isOpen() {
      called('`isOpen` of a container');
      return true;
    },
    onChildRun: () => called('`onChildRun` of a container'),
  });
  const form = kit.defineBlock({
    ...named('form', 'interface'),
    input: z.unknown().transform(() => called('`input` of the block')),
    receive(ctx) {
      called('`receive` of the block');
      ctx.emit('RunEvent');
    },
    read() {
      called('`read` of the block');
      return {};
    },
  });
  const next = kit.defineBlock({
    ...named('next', 'server'),
    on: {
      async RunEvent(ctx) {
        called('`on` of the next block');
        await ctx.ledger.publish({ topic: 'root', type: 'note', owner: ctx.user.did });
        await ctx.notifications.send([ctx.user.did], { title: 'Done', message: 'Done.' });
      },
    },
  });
  const store = new MemoryStore();
  const engine = createEngine({
    logger: silentLogger,
    store: observedStore(store, called),
    ledger: {
      check: async () => called('ledger: `check`'),
      settle: async () => called('ledger: `settle`'),
      close: async () => undefined,
    },
    notifications: { deliver: async () => called('notifications: `deliver`') },
    blocks: [outer, form, next],
  });
  const caller = {
    did: 'did:example:owner',
    get permissions() {
      called('the permissions of the caller');
      return permissions;
    },
  };
  const config = block('outer', [block('form'), block('next')]);
  const { policy } = await engine.importPolicy(caller, { id: 'hooks', name: 'Hooks', config });
  await engine.lifecycle.publish(caller, policy.id, '1.0.0');
  const settled = async () => {
    while ((await store.count('settlement', 'instance')) > 0) await setImmediate();
  };
  return { engine, caller, policyId: policy.id, settled };
}

const named = (type, kind) => ({ type, title: type, description: type, kind });

const block = (type, children = []) => ({
  id: randomUUID(),
  blockType: type,
  tag: type,
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  events: [],
  children,
});

const isMembership = (kind) => kind === 'membership';
const isChangeOfPolicy = ({ changes }) => changes.some(({ kind }) => kind === 'journal');
const observedCalls = {
  revision: { hook: 'store: revisions' },
  revisions: { hook: 'store: revisions' },
  find: { hook: 'store: memberships', concerns: isMembership },
  commit: { hook: 'store: `commit`', concerns: isChangeOfPolicy },
};

function observedStore(store, called) {
  const get = (target, name) => {
    const value = Reflect.get(target, name);
    if (typeof value !== 'function') return value;
    return (...args) => {
      const { hook, concerns = () => true } = observedCalls[name] ?? {};
      if (hook !== undefined && concerns(...args)) called(hook);
      return value.apply(target, args);
    };
  };
  return new Proxy(store, { get });
}

function observeChannels(names, called) {
  const stops = names.flatMap((name) =>
    Object.entries({ start: 'starts', asyncEnd: 'ends' }).map(([event, word]) => {
      const heard = channel(`tracing:blockwork:${name}:${event}`);
      const listener = () => called(`telemetry: \`${name}\` ${word}`);
      heard.subscribe(listener);
      return () => heard.unsubscribe(listener);
    }),
  );
  return () => {
    for (const stop of stops) stop();
  };
}
