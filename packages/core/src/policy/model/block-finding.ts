/** Findings about one block of a policy. */
import { shownOf } from './hidden-texts.js';
import type { BlockNode, Finding, FindingCode, Suggestion } from './policy-model.js';

export interface FindingFacts {
  readonly message: string;
  /** JSON pointer to the member at fault, relative to the block, such as `/filters/0/type`. Default: the whole block. */
  readonly path?: string;
  /** Default: `OPTIONS_INVALID`. */
  readonly code?: FindingCode;
  /** Default: `error`, the block cannot work as written. */
  readonly severity?: Finding['severity'];
  /** The value that is probably meant at `path`. */
  readonly meant?: string | undefined;
  /** Other changes that would mend it; outside of schemas, `at` is relative to the block, as `path` is. */
  readonly suggestions?: readonly Suggestion[];
}

/** Creates a finding with the block's id, tag and path. Its message never quotes sensitive options. */
export function finding(
  block: BlockNode,
  { message, path = '', code = 'OPTIONS_INVALID', severity = 'error', meant, suggestions = [] }: FindingFacts,
): Finding {
  const all = meant === undefined ? suggestions : [suggestedValue(path, meant), ...suggestions];
  const placed = all
    .filter((each) => each.kind !== 'value' || shownOf(block, String(each.value)) === String(each.value))
    .map((each) => ('schema' in each ? each : { ...each, at: block.path + each.at }));
  return {
    severity,
    code,
    message: shownOf(block, message),
    path: block.path + path,
    block: block.uuid,
    ...(block.named ? { tag: block.tag } : {}),
    ...(placed.length > 0 && { suggestions: placed }),
  };
}

export const suggestedValue = (at: string, value: string | number | boolean): Suggestion => ({
  kind: 'value',
  at,
  value,
});

export const suggestedRemoval = (at: string): Suggestion => ({ kind: 'removal', at });

export const suggestedName = (at: string, name: string): Suggestion => ({ kind: 'name', at, name });

/** More of them are no help. */
const MOST_CHOICES = 8;

/** The values that may be written there, the one that is meant first. */
export function choicesAt(
  at: string,
  choices: readonly (string | number | boolean)[],
  meant: string | undefined,
): readonly Suggestion[] {
  const values = meant === undefined ? choices : [meant, ...choices.filter((each) => each !== meant)];
  return values.slice(0, MOST_CHOICES).map((value) => suggestedValue(at, value));
}
