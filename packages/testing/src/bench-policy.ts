/** Generates the policy around the block under test. */
import type { Ids } from '@blockwork/core';
import { REFRESH, RUN, type BlockType, type DocumentInput } from '@blockwork/core/block';
import { z } from 'zod';
import type { BenchSetup, BlockFragment } from './bench-setup.js';

export const TRIGGER = 'bench-trigger';
const RECORDER = 'bench-recorder';

/** The content of a `policy.json`. */
export function benchPolicy(block: BlockType, setup: BenchSetup, ids: Ids): object {
  const complete = (fragment: BlockFragment): object => {
    const { documents: _documents, children = [], ...written } = fragment;
    return {
      permissions: ['ANY_ROLE'],
      defaultActive: true,
      uiMetaData: {},
      id: ids.uuid(),
      tag: '',
      ...written,
      children: children.map(complete),
    };
  };
  const tested: BlockFragment = {
    ...setup.options,
    tag: tagOf(setup),
    blockType: block.type,
    children: setup.children ?? [],
  };
  const events = outputsOf(block, setup).map((output) => ({
    source: tagOf(setup),
    output,
    target: RECORDER,
    input: 'RunEvent',
    actor: '',
  }));
  const own = Array.isArray(setup.options?.['events']) ? (setup.options['events'] as readonly unknown[]) : [];
  const held: BlockFragment = { ...tested, events: [...events, ...own], stopPropagation: true };
  const around =
    setup.parent === undefined ? held : { ...setup.parent, children: [...(setup.parent.children ?? []), held] };
  return {
    name: `Bench of ${block.type}`,
    description: '',
    topicDescription: '',
    policyRoles: setup.roles ?? [],
    policyGroups: setup.groups ?? [],
    ...setup.policy,
    config: complete({
      blockType: 'interfaceContainerBlock',
      tag: 'root',
      children: [
        around,
        { blockType: 'benchEventTrigger', tag: TRIGGER },
        { blockType: 'benchEventRecorder', tag: RECORDER, defaultActive: false },
      ],
    }),
  };
}

/** The tag of the block under test. */
export const tagOf = (setup: BenchSetup): string => {
  const tag = setup.options?.['tag'];
  return typeof tag === 'string' ? tag : 'block';
};

/** All documents of the set-up, including those of fragments. */
export const documentsOf = (setup: BenchSetup): DocumentInput[] => {
  const within = (fragment: BlockFragment): DocumentInput[] => [
    ...(fragment.documents ?? []),
    ...(fragment.children ?? []).flatMap(within),
  ];
  const fragments = [...(setup.parent === undefined ? [] : [setup.parent]), ...(setup.children ?? [])];
  return [...fragments.flatMap(within), ...(setup.documents ?? [])];
};

function outputsOf(block: BlockType, setup: BenchSetup): string[] {
  const { outputs = [], options = z.unknown() } = block;
  const given = options.safeParse(setup.options ?? {});
  const childTags = (setup.children ?? []).map(({ tag = '' }) => tag).filter((tag) => tag !== '');
  const declared = typeof outputs === 'function' ? (given.success ? outputs(given.data, childTags) : []) : outputs;
  return [...new Set([RUN, REFRESH, ...declared])];
}
