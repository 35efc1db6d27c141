/** Searches for what is alike: policies like one, and blocks like one. */
import type { PolicyRecord } from '@blockwork/core';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { aligned } from '../../comparison/aligned.js';
import { rowOf, totalOf, treeOf, treeReport, type TreeNode } from '../../comparison/reports.js';
import { ownPolicies } from '../../policies/own-policies.js';
import { checked, created, ok, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { jsonObject } from '../../requests/json-members.js';
import { callerOf } from '../../requests/person.js';
import type { RouteDeps } from '../route-deps.js';

const wantedPolicies = z.looseObject({
  policyId: z.string().max(200).nullish(),
  text: z.string().max(1_000).nullish(),
  owner: z.string().max(500).nullish(),
  threshold: z.coerce.number().min(0).max(100).nullish(),
});
const wantedBlocks = z.looseObject({ id: z.string().min(1).max(200), config: jsonObject });

/** Policies that are compared in one search: the newest. */
const POLICIES = 100;
/** Blocks that one search finds in a policy. */
const BLOCKS = 20;

export const searchRoutes = (deps: RouteDeps): SandboxRoute[] => [
  {
    method: 'POST',
    path: '/analytics/search/policies',
    body: 'data',
    handle: async (call) => ok(await policiesLike(deps, call)),
  },
  {
    method: 'POST',
    path: '/analytics/search/blocks',
    body: 'policy',
    handle: async (call) => ok(await blocksLike(deps, call)),
  },
  {
    method: 'POST',
    path: '/suggestions',
    body: 'policy',
    handle: async (call) => created(await suggestion(deps, call)),
  },
];

interface OwnTree {
  readonly policy: PolicyRecord;
  readonly root: TreeNode;
}

async function ownTrees({ engine }: RouteDeps, call: SandboxCall): Promise<OwnTree[]> {
  const caller = callerOf(await call.person());
  const trees: OwnTree[] = [];
  for (const policy of (await ownPolicies(engine, caller)).slice(0, POLICIES)) {
    const root = treeOf((await engine.getPolicy(caller, policy.id)).config);
    if (root !== undefined) trees.push({ policy, root });
  }
  return trees;
}

/** The most similar first. */
async function policiesLike(deps: RouteDeps, call: SandboxCall): Promise<object> {
  const { policyId, text, owner, threshold } = checked(call.body, wantedPolicies);
  const caller = callerOf(await call.person());
  const target = policyId ? await deps.engine.getPolicy(caller, policyId) : undefined;
  const root = target === undefined ? undefined : treeOf(target.config);
  const rows: ReturnType<typeof row>[] = [];
  for (const { policy, root: other } of await ownTrees(deps, call)) {
    rows.push(row(policy, root === undefined ? 0 : totalOf(treeReport(root, other))));
    // Large policies take a while to compare; other requests are answered in between.
    await setImmediate();
  }
  const needle = (text ?? '').toLowerCase();
  const found = rows.filter(
    (each) =>
      each.rate >= (threshold ?? 0) &&
      (!owner || each.owner === owner) &&
      `${each.name} ${each.description}`.toLowerCase().includes(needle),
  );
  return { target: target === undefined ? null : row(target, 100), result: found.sort((a, b) => b.rate - a.rate) };
}

const row = (
  { id, uuid, name, description, version, owner, topicId, messageId, status }: PolicyRecord,
  rate: number,
) => ({
  ...{ type: 'Local', id, uuid, name, description, version, owner, topicId, messageId, status, rate },
  tags: [] as const,
});

/** Blocks of the same type in the other policies, each with what it shares with the one that is named. */
async function blocksLike(deps: RouteDeps, call: SandboxCall): Promise<object[]> {
  const { id, config } = checked(call.body, wantedBlocks);
  const own = treeOf(config);
  const target = own && nodesOf(own).find((node) => node.id === id);
  if (target === undefined) return [];
  const found: object[] = [];
  for (const { policy, root } of await ownTrees(deps, call)) {
    const alike = nodesOf(root).filter((node) => node.type === target.type && node.id !== target.id);
    const chains = alike.map((source) => ({
      hash: rowOf({ left: target, right: source }, 1).total_rate,
      target: shown(target),
      pairs: pairsOf(target, source),
    }));
    if (chains.length === 0) continue;
    const { name, description, version, owner, topicId, messageId } = policy;
    const best = chains.sort((a, b) => b.hash - a.hash).slice(0, BLOCKS);
    found.push({ name, description, version, owner, topicId, messageId, hash: best[0]?.hash ?? 0, chains: best });
  }
  return found;
}

const shown = ({ id, name, type }: TreeNode): object => ({ id, tag: name, blockType: type });

/** The blocks themselves, and their children. */
function pairsOf(target: TreeNode, source: TreeNode): object[] {
  const below = aligned(target.children, source.children, [
    ({ type, name }) => JSON.stringify([type, name]),
    ({ type }) => type,
  ]);
  return [{ left: target, right: source }, ...below].flatMap(({ left, right }) =>
    left === undefined || right === undefined
      ? []
      : [{ hash: rowOf({ left, right }, 1).total_rate, source: shown(right), filter: shown(left) }],
  );
}

function nodesOf(root: TreeNode): TreeNode[] {
  const all: TreeNode[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    all.push(node);
    open.push(...node.children);
  }
  return all;
}

/** The types that most often stand after the last block of the tree, and in it, in the caller's policies. */
async function suggestion(deps: RouteDeps, call: SandboxCall): Promise<{ next: string | null; nested: string | null }> {
  let last = treeOf(checked(call.body, jsonObject));
  for (let child = last?.children.at(-1); child !== undefined; child = child.children.at(-1)) last = child;
  const [next, nested] = [new Map<string, number>(), new Map<string, number>()];
  const count = (tally: Map<string, number>, type: string | undefined): void => {
    if (type !== undefined) tally.set(type, (tally.get(type) ?? 0) + 1);
  };
  for (const { root } of await ownTrees(deps, call)) {
    for (const { type, children } of nodesOf(root)) {
      if (type === last?.type) count(nested, children[0]?.type);
      children.forEach((child, at) => child.type === last?.type && count(next, children[at + 1]?.type));
    }
  }
  return { next: mostOften(next), nested: mostOften(nested) };
}

const mostOften = (tally: ReadonlyMap<string, number>): string | null =>
  [...tally].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0] ?? null;
