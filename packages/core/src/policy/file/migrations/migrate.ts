/** Migrates the blocks of a policy to the newest version of the format. */
import type { Ids } from '../../../ports/index.js';
import type { Steps } from '../../../loop-share.js';
import { type BlockSource, type EventSource, isObject } from '../../../records/index.js';
import type { Finding } from '../../model/policy-model.js';
import { pointerStep } from '../../model/pointer.js';
import { quote } from '../../model/quote.js';
import { type BlockPosition, pathOf, walkTree } from '../../model/tree-walk.js';
import { compareVersions, fullVersion, NEWEST_CODE_VERSION, OLDEST_CODE_VERSION } from './code-version.js';
import { addLinks, blocksOfType, type Link, linkKey, type MigratingPolicy, type MigrationStep } from './step.js';

const linksOfOptions: MigrationStep = {
  version: '1.1.0',
  apply(policy) {
    for (const position of walkTree(policy.root)) {
      for (const { source, output, target } of addLinks(position.block, linksOf(position.block))) {
        policy.report(position, `What leads from ${output} of "${source}" to "${target}" is now a link.`);
      }
    }
  },
};

function linksOf(block: BlockSource): Link[] {
  switch (block.blockType) {
    case 'interfaceActionBlock':
      return block['type'] === 'selector' ? selectorLinks(block) : dropdownLinks(block);
    case 'switchBlock':
      return switchLinks(block);
    case 'aggregateDocumentBlock':
      return timerLinks(block);
    default:
      return [];
  }
}

const selectorLinks = (block: BlockSource): Link[] =>
  tagged(block.uiMetaData['options'], 'Option').flatMap((option) =>
    runs(block, option['tag'], option['bindBlock'], option['user'] === 'current' ? '' : 'owner'),
  );

const dropdownLinks = (block: BlockSource): Link[] =>
  block['type'] === 'dropdown' ? runs(block, 'DropdownEvent', block['bindBlock'], '') : [];

const switchLinks = (block: BlockSource): Link[] =>
  tagged(block['conditions'], 'Condition').flatMap(({ tag, bindBlock, target, actor }) =>
    runs(block, tag, bindBlock ?? target, actor === 'owner' || actor === 'issuer' ? actor : ''),
  );

/** The reference links to `RunEvent`, on which the block does not release what it has collected. */
const timerLinks = (block: BlockSource): Link[] =>
  isName(block['timer'])
    ? [{ source: block['timer'], target: block.tag, output: 'TimerEvent', input: 'TimerEvent', actor: '' }]
    : [];

const runs = (block: BlockSource, output: unknown, target: unknown, actor: '' | 'owner' | 'issuer'): Link[] =>
  isName(output) && isName(target) ? [{ source: block.tag, target, output, input: 'RunEvent', actor }] : [];

/** The entries of a list. Entries without a tag get one derived from their position. */
function tagged(list: unknown, prefix: string): Record<string, unknown>[] {
  const entries = Array.isArray(list) ? list : [];
  for (const [index, entry] of entries.entries()) {
    if (isObject(entry) && !isName(entry['tag'])) entry['tag'] = `${prefix}_${index}`;
  }
  return entries.filter(isObject);
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

const historyAddon: MigrationStep = {
  version: '1.5.0',
  apply(policy) {
    const tags = new Set(walkTree(policy.root).map(({ block }) => block.tag));
    for (const position of blocksOfType(policy, 'interfaceDocumentsSourceBlock')) {
      const sources = position.block.children.filter((child) => child.blockType === 'documentsSourceAddon');
      const shown = sources.some((source) => source['viewHistory'] === true || source['viewHistory'] === 'true');
      for (const source of sources) delete source['viewHistory'];
      if (!shown) continue;
      const addon = newAddon(policy.ids.uuid(), freeTag(position.block.tag, tags));
      position.block.children.push(addon);
      policy.report(position, `The history that its sources asked for is now shown by a historyAddon, "${addon.tag}".`);
    }
  },
};

/** The reference adds it with `defaultActive: false`, which it ignores; here that would switch the addon off. */
const newAddon = (id: string, tag: string): BlockSource => ({
  id,
  blockType: 'historyAddon',
  tag,
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  uiMetaData: {},
  events: [],
  children: [],
  dependencies: [],
});

function freeTag(grid: string, tags: Set<string>): string {
  const wish = grid === '' ? 'history' : `${grid}_history`;
  let tag = wish;
  for (let number = 2; tags.has(tag); number++) tag = `${wish}_${number}`;
  tags.add(tag);
  return tag;
}

const selectorButtons: MigrationStep = {
  version: '1.2.0',
  apply(policy) {
    for (const position of blocksOfType(policy, 'interfaceActionBlock')) {
      const { block } = position;
      if (block['type'] !== 'selector') continue;
      const field = block['field'] ?? block.uiMetaData['field'] ?? '';
      const options = block.uiMetaData['options'];
      const buttons = (Array.isArray(options) ? options : []).filter(isObject).map((option) => ({
        tag: option['tag'] ?? '',
        name: option['name'] ?? '',
        type: 'selector',
        filters: [],
        field,
        value: option['value'] ?? '',
        uiClass: option['uiClass'] ?? '',
      }));
      block.blockType = 'buttonBlock';
      block.uiMetaData = { ...block.uiMetaData, buttons };
      policy.report(position, `The action block with options is now a buttonBlock with ${buttons.length} buttons.`);
    }
  },
};

const names = new Map([
  ['interfaceDocumentsSource', 'interfaceDocumentsSourceBlock'],
  ['requestVcDocument', 'requestVcDocumentBlock'],
  ['sendToGuardian', 'sendToGuardianBlock'],
  ['interfaceAction', 'interfaceActionBlock'],
  ['mintDocument', 'mintDocumentBlock'],
  ['aggregateDocument', 'aggregateDocumentBlock'],
  ['wipeDocument', 'retirementDocumentBlock'],
]);

const blockNames: MigrationStep = {
  version: '1.0.0',
  apply(policy) {
    for (const position of walkTree(policy.root)) {
      const name = names.get(position.block.blockType);
      if (name === undefined) continue;
      policy.report(position, `The block type ${position.block.blockType} is now called ${name}.`);
      position.block.blockType = name;
    }
  },
};

const revokeColumns: MigrationStep = {
  version: '1.5.1',
  apply(policy) {
    const revoking = new Set(blocksOfType(policy, 'revokeBlock').map(({ block }) => block.tag));
    revoking.delete('');
    for (const position of blocksOfType(policy, 'interfaceDocumentsSourceBlock')) {
      const { uiMetaData } = position.block;
      const columns: unknown = uiMetaData['fields'];
      if (!Array.isArray(columns)) continue;
      const remaining = columns.filter((column) => !isObject(column) || !revoking.has(String(column['bindBlock'])));
      if (remaining.length === columns.length) continue;
      position.block.uiMetaData = { ...uiMetaData, fields: remaining };
      policy.report(position, `${columns.length - remaining.length} column(s) that showed a revokeBlock are left out.`);
    }
  },
};

const types = ['mintDocumentBlock', 'retirementDocumentBlock'];

const accountType: MigrationStep = {
  version: '1.3.0',
  apply(policy) {
    for (const position of walkTree(policy.root)) {
      const { block } = position;
      if (!types.includes(block.blockType) || isSet(block['accountType'])) continue;
      block['accountType'] = 'default';
      policy.report(position, 'The account is set to "default", the account of the document owner.');
    }
  },
};

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Oldest first; each step relies on the previous ones. */
const steps: readonly MigrationStep[] = [
  blockNames,
  linksOfOptions,
  selectorButtons,
  accountType,
  historyAddon,
  revokeColumns,
];

export interface MigrationOptions {
  /** The policy's `codeVersion` as written. */
  readonly written: unknown;
  /** Whether `dependencies` mean what they mean in the reference; if so they become links. */
  readonly dependenciesRefresh: boolean;
  readonly ids: Ids;
  readonly findings: Finding[];
}

/**
 * Changes the blocks in place, one version after another.
 * @returns their version afterwards: the newest known one, or the policy's own if that is newer.
 */
export function* migrating(
  root: BlockSource,
  { written, dependenciesRefresh, ids, findings }: MigrationOptions,
): Steps<string> {
  const policy: MigratingPolicy = {
    root,
    ids,
    report: (position, message) => {
      const { id, tag } = position.block;
      findings.push({
        ...remark('MIGRATED', message),
        path: pathOf(position),
        block: id,
        ...(tag === '' ? {} : { tag }),
      });
    },
  };
  const version = startingVersion(written, findings);
  for (const step of steps) {
    if (compareVersions(step.version, version) > 0) step.apply(policy);
    yield;
  }
  if (dependenciesRefresh) dependencyLinks(policy, findings);
  return compareVersions(version, NEWEST_CODE_VERSION) > 0 ? version : NEWEST_CODE_VERSION;
}

function startingVersion(written: unknown, findings: Finding[]): string {
  const version = fullVersion(written);
  if (version === undefined) {
    const message = `The codeVersion ${quote(written)} is not a version; the policy is read as the oldest version.`;
    findings.push(remark('RECORD_FIELD_INVALID', message));
    return OLDEST_CODE_VERSION;
  }
  if (compareVersions(version, NEWEST_CODE_VERSION) > 0) {
    const message = `The policy is written in version ${version}, newer than ${NEWEST_CODE_VERSION}; it is read without migration.`;
    findings.push(remark('RECORD_FIELD_INVALID', message));
  }
  return version;
}

const remark = (code: 'MIGRATED' | 'RECORD_FIELD_INVALID', message: string): Finding => ({
  severity: 'warning',
  code,
  message,
  path: '',
});

/** Applies to archives of all versions: the reference kept the key but ignores it at run time. */
function dependencyLinks(policy: MigratingPolicy, findings: Finding[]): void {
  const positions = walkTree(policy.root);
  const tags = new Set(positions.map(({ block }) => block.tag));
  tags.delete('');
  const links = new Set(positions.flatMap(({ block }) => block.events.map(linkKey)));
  for (const position of positions) {
    const { block } = position;
    const linked: string[] = [];
    for (const [index, source] of block.dependencies.entries()) {
      if (!tags.has(source) || block.tag === '') {
        findings.push(unusable(position, index, source));
        continue;
      }
      const link: EventSource = {
        source,
        target: block.tag,
        output: 'RefreshEvent',
        input: 'RefreshEvent',
        actor: '',
        disabled: false,
      };
      if (links.has(linkKey(link))) continue;
      links.add(linkKey(link));
      block.events.push(link);
      linked.push(source);
    }
    if (linked.length > 0)
      policy.report(position, `Its dependencies became links that refresh it: ${linked.join(', ')}.`);
    block.dependencies = [];
  }
}

const unusable = ({ block, ...position }: BlockPosition, index: number, source: string): Finding => ({
  severity: 'warning',
  code: 'DEPENDENCY_UNKNOWN',
  message:
    block.tag === ''
      ? `A block without a tag cannot be refreshed by "${source}".`
      : `"${block.tag}" wants to be refreshed by "${source}", but no block has that tag.`,
  path: `${pathOf(position)}/dependencies${pointerStep(index)}`,
  block: block.id,
  ...(block.tag === '' ? {} : { tag: block.tag }),
});
