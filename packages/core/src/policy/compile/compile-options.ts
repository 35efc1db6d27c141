/** Validates the options of a block by the schema of its type. */
import type { BlockSource } from '../../records/index.js';
import { finding } from '../model/block-finding.js';
import type { CompiledBlock } from './compiled-block.js';
import { callDefinition } from './definition-guard.js';
import type { Finding } from '../model/finding.js';
import { pointerOf } from '../model/pointer.js';
import { resolveVariables } from './variables.js';
import type { BlockDefinition } from '../model/policy-model.js';

/** Members that belong to the engine and are not options of the block type. */
const common = new Set([
  'id',
  'blockType',
  'tag',
  'permissions',
  'defaultActive',
  'events',
  'innerEvents',
  'children',
  'dependencies',
  'stopPropagation',
  'onErrorAction',
  'errorTimeout',
  'errorFallbackStep',
  'errorFallbackTag',
]);

const noOptions = Object.freeze({});

/** Sets `options`, or `optionsError` if they are invalid. */
export function compileOptions(node: CompiledBlock, definition: BlockDefinition, findings: Finding[]): void {
  const { options } = definition;
  if (options === undefined) {
    node.options = noOptions;
    return;
  }
  const parse = () => callDefinition(() => options.safeParse(written(node.source)));
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
  const reasons = parsed.error.issues.map(({ path, message }) => {
    findings.push(finding(node, { message: `${node.blockType}: ${named(path)}${message}`, path: pointerOf(path) }));
    return named(path) + message;
  });
  node.optionsError = reasons.join('; ');
}

const named = (path: readonly PropertyKey[]): string => (path.length === 0 ? '' : `${path.map(String).join('.')}: `);

const written = (source: BlockSource): Record<string, unknown> =>
  Object.fromEntries(Object.entries(source).filter(([key]) => !common.has(key)));
