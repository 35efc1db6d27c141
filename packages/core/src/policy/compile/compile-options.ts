/** Validates the options of a block by the schema of its type. */
import type { BlockSource } from '../../records/index.js';
import { finding } from '../model/block-finding.js';
import { shownOf } from '../model/hidden-texts.js';
import type { CompiledBlock } from './compiled-block.js';
import { commonMembers, engineMembers } from './common-members.js';
import { callDefinition } from './definition-guard.js';
import type { Finding } from '../model/finding.js';
import type { KnownMembers } from './known-members.js';
import { pointerOf } from '../model/pointer.js';
import { messageOf } from './option-issue.js';
import { resolveVariables } from './variables.js';
import type { BlockDefinition } from '../model/policy-model.js';

const noOptions = Object.freeze({});

/** Sets `options`, or `optionsError` if they are invalid. */
export function compileOptions(
  node: CompiledBlock,
  definition: BlockDefinition,
  known: KnownMembers,
  findings: Finding[],
): void {
  const { options } = definition;
  if (options === undefined) {
    node.options = noOptions;
    return;
  }
  const parse = () => callDefinition(node, 'options', () => options.safeParse(written(node.source, known)));
  let parsed = parse();
  if (parsed.success) {
    node.options = parsed.data;
    if (!resolveVariables(node)) return;
    parsed = parse();
  }
  if (parsed.success) {
    node.options = parsed.data;
    return;
  }
  node.options = null;
  const reasons = parsed.error.issues.map((issue) => {
    const { path } = issue;
    const reason = shownOf(node, named(path) + messageOf(issue, node.source));
    const message = `The options of "${node.tag}" (${node.blockType}) cannot be used: ${reason}.`;
    // `UnknownMembers` reports each of these keys.
    if (issue.code !== 'unrecognized_keys') findings.push(finding(node, { message, path: pointerOf(path) }));
    return reason;
  });
  node.optionsError = reasons.join('; ');
}

const named = (path: readonly PropertyKey[]): string => (path.length === 0 ? '' : `${path.map(String).join('.')} `);

/** A strict schema does not have to name the members that every block may have. */
const written = (source: BlockSource, { members, isStrict }: KnownMembers): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(source).filter(
      ([key]) => !engineMembers.has(key) && (!isStrict || members.has(key) || !commonMembers.includes(key)),
    ),
  );
