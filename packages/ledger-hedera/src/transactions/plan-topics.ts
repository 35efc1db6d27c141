/** Topics: each begins with a message that names its parent, which readers take to tell what the topic is. */
import { memberOf, textAt } from '../forms/message-form.js';
import { policyCreationText } from '../forms/policy-form.js';
import type { MirrorTransaction } from '../network/mirror.js';
import { nextOfLinks } from './plan-links.js';
import { bare, inOnePiece, type EffectFacts, type PlanDeps, type Planned } from './planned.js';
import { isRegistration, nextOfRegistry } from './plan-registry.js';
import { nextOfTool, toolMappings } from './plan-tools.js';
import type { Mapping, TransactionRow } from './row.js';
import { cut } from './sign-transaction.js';

const ROOT_MEMO = 'Policy instance configuration topic';

export function nextOfTopic(facts: EffectFacts, deps: PlanDeps): Promise<Planned | undefined> {
  const { body } = facts.effect;
  const { tool } = facts;
  if (tool !== undefined) return nextOfTool(facts, tool, deps, (owner) => parentOf(owner, deps));
  if (isRegistration(facts.effect)) return nextOfRegistry(facts, deps);
  if (memberOf(body, 'policy') !== undefined) return nextOfPolicyTopic(facts, deps);
  return nextOfInstanceTopic(facts, deps);
}

/** The ids that are known from this row on. The topic of a policy's versions can be used by others after its first message. */
export function topicMappings(facts: EffectFacts, row: TransactionRow, entry: MirrorTransaction): Mapping[] {
  const { effect, done, tool } = facts;
  if (tool !== undefined) return toolMappings(facts, tool, row, entry.consensusAt);
  const { topicId: local = '', body } = effect;
  const { operation } = row;
  if (memberOf(body, 'policy') !== undefined) {
    const topic = done[0]?.outcome?.entity;
    const isFirst = operation.type === 'submit-message' && operation.topic === topic;
    return isFirst ? [{ of: 'policy-topic', local, ledger: topic }] : [];
  }
  if (operation.type !== 'create-topic' || entry.entity === null) return [];
  const { entity: ledger } = entry;
  if (isRegistration(effect)) return [{ of: 'registry-topic', local, ledger }];
  const names = textAt(body, 'name') === 'root' ? [local, 'root'] : [local];
  return names.map((name) => ({ of: 'topic', local: name, ledger }));
}

/** The topic of all versions of a policy, which the parent announces first. */
async function nextOfPolicyTopic({ effect, done }: EffectFacts, deps: PlanDeps): Promise<Planned | undefined> {
  const about = memberOf(effect.body, 'policy') ?? null;
  const owner = textAt(effect.body, 'owner');
  const [created, announced] = done;
  if (created === undefined) return bare({ type: 'create-topic', memo: cut(effect.memo ?? '', 100) });
  const topic = created.outcome?.entity ?? '';
  const parent = announced === undefined ? await parentOf(owner, deps) : parentIn(announced, topic);
  if (parent !== null && announced === undefined) {
    const text = policyCreationText(about, { seed: effect.id, owner, topicId: topic });
    return inOnePiece(parent, text, 'Policy creation message');
  }
  const name = textAt(about, 'name');
  const link = {
    effectId: effect.id,
    name,
    description: textAt(about, 'topicDescription'),
    owner,
    messageType: 'POLICY_TOPIC',
    rationale: parent === null ? null : (announced?.consensusAt ?? null),
  };
  return nextOfLinks(link, { topic, parent, sent: done.length - (parent === null ? 1 : 2) });
}

/** The topic of announcements, or else that of the owner's registry. */
const parentOf = async (owner: string, { parentTopic, idOf }: PlanDeps): Promise<string | null> =>
  parentTopic ?? (await idOf('registry-topic', owner)) ?? null;

/** As it was when the effect was begun: the settings may be others now. */
const parentIn = ({ operation }: TransactionRow, topic: string): string | null =>
  operation.type === 'submit-message' && operation.topic !== topic ? operation.topic : null;

async function nextOfInstanceTopic({ effect, done }: EffectFacts, deps: PlanDeps): Promise<Planned | undefined> {
  const name = textAt(effect.body, 'name');
  const isRoot = name === 'root';
  const [created] = done;
  const usual = isRoot ? ROOT_MEMO : `${name} operation topic`;
  const memo = effect.memo === undefined || effect.memo === '' ? usual : effect.memo;
  if (created === undefined) return bare({ type: 'create-topic', memo: cut(memo, 100) });
  // The links of a policy that is published come with the message that publishes it, which they name.
  if (textAt(effect.body, 'policyTopicId') !== '') return undefined;
  const link = {
    effectId: effect.id,
    name: isRoot ? 'Policy Instance Topic' : name,
    description: memo,
    owner: textAt(effect.body, 'owner'),
    messageType: isRoot ? 'INSTANCE_POLICY_TOPIC' : 'DYNAMIC_TOPIC',
    rationale: null,
  };
  const root = isRoot ? undefined : await deps.idOf('topic', 'root');
  return nextOfLinks(link, {
    topic: created.outcome?.entity ?? '',
    parent: root ?? deps.parentTopic,
    sent: done.length - 1,
  });
}
