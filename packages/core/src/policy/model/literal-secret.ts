/** Detection of literal secrets in policies. */
import { secretNamesIn } from '../../records/index.js';
import { finding } from './block-finding.js';
import { pointerOf } from './pointer.js';
import type { BlockNode, Finding } from './policy-model.js';

/** Whether a text is a literal value rather than a reference to a secret or to a document. */
export const isLiteral = (text: string): boolean =>
  secretNamesIn(text).length === 0 &&
  !/\$\{[^{}]*\}/.test(text) &&
  text.replace(/^\s*(basic|bearer|digest|token|apikey)\b/i, '').trim() !== '';

/** A literal secret in the policy, visible to anyone who obtains the policy. */
export const literalSecret = (node: BlockNode, what: string, path: readonly (string | number)[]): Finding =>
  finding(node, {
    code: 'SECRET_LITERAL',
    severity: 'warning',
    path: pointerOf(path),
    message: `"${node.tag}" has a literal value for ${what}. Refer to a secret, {{secret:NAME}}, and configure its value in the engine.`,
  });
