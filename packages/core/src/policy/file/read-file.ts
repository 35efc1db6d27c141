/** Reads a policy file: an archive, or the text of a policy that was written by hand, as `<name>.policy.json`. */
import { atOnce, type Steps } from '../../loop-share.js';
import { isObject } from '../../records/index.js';
import type { ReadPolicyOptions } from './assemble-policy.js';
import { COMPLETION, DEPENDENCIES_MEAN } from './dependency-meaning.js';
import { parseJson, textOf } from './json/parse-json.js';
import { plainJson } from './json/plain-json.js';
import { policyFileLimits } from './limits/limits.js';
import { NEWEST_CODE_VERSION } from './migrations/code-version.js';
import type { PolicyBundle } from './policy-bundle.js';
import { readingArchive } from './read-archive.js';
import { readingPolicyJson } from './read-json.js';

/** An object, or a comment before it. */
const FIRST_OF_TEXT = [0x7b, 0x2f];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const SPACE = [0x20, 0x09, 0x0a, 0x0d, ...BYTE_ORDER_MARK];

/** Text may hold comments and trailing commas. Throws as `readArchive` and `readPolicyJson`. */
export const readPolicyFile = (bytes: Uint8Array, options: ReadPolicyOptions): PolicyBundle =>
  atOnce(readingPolicyFile(bytes, options));

/** As `readPolicyFile`, in steps. */
export function* readingPolicyFile(bytes: Uint8Array, options: ReadPolicyOptions): Steps<PolicyBundle> {
  if (!FIRST_OF_TEXT.includes(bytes.find((byte) => !SPACE.includes(byte)) ?? 0)) {
    return yield* readingArchive(bytes, options);
  }
  const text = plainJson(textOf(bytes, 'the policy'));
  yield;
  const policy = parseJson(Buffer.from(text), 'the policy', policyFileLimits(options.limits));
  const config = { pointer: '/config', path: '' };
  yield;
  return { ...(yield* readingPolicyJson(withoutEditorSchema(policy), options)), text: { config, read: () => text } };
}

/** `$schema` is for editors. */
function withoutEditorSchema(policy: unknown): unknown {
  if (!isObject(policy) || !('$schema' in policy)) return policy;
  const { $schema: _, ...rest } = policy;
  return rest;
}

/**
 * The content of a file that was written by hand, as the `policy.json` of an archive that means the same: archives assume
 * another format, and other `dependencies`.
 */
export function writtenByHand(policy: unknown): unknown {
  const written = withoutEditorSchema(policy);
  if (!isObject(written)) return written;
  return { codeVersion: NEWEST_CODE_VERSION, ...written, [DEPENDENCIES_MEAN]: COMPLETION };
}
