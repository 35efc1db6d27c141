/** A filter of a grid without its looks. */
import type { BlockName } from '@blockwork/client';
import { type Slot, textOf, titleOf } from '../slot.js';
import { openAnswer, useBlock } from './use-block.js';

export interface FilterOption {
  readonly name: string;
  /** `''` for all rows. */
  readonly value: string;
}

export interface Filter {
  /** The title that the policy gives it, otherwise the name of its field. */
  readonly label: string;
  readonly value: string;
  /** Without a name if it is the one for all rows. A value that was chosen is among them even if no row has it any more. */
  readonly options: readonly FilterOption[];
}

interface FilterAnswer extends Slot {
  readonly canBeEmpty?: boolean;
  readonly data?: readonly { readonly name: string; readonly value: string | number | boolean }[] | null;
  /** The value stored for the person, or the default. */
  readonly filterValue?: string | number | boolean | null;
  /** Path of the field whose values are offered. */
  readonly optionName?: string;
}

/**
 * A `filtersAddon`, by its tag or UUID, with what its grid has `chosen` for it. `undefined` until it is read, and where it offers nothing.
 *
 * @example
 * const grid = useGrid('sunlight', 'reports');
 * const filter = useFilter('sunlight', 'by_site', grid.chosen['by_site']);
 * // filter?.options, and grid.filter('by_site', value) to choose one
 */
export function useFilter(policyId: string, block: BlockName, chosen?: string): Filter | undefined {
  const answer = openAnswer(useBlock<FilterAnswer>(policyId, block));
  return answer && filterOf(answer, chosen);
}

export function filterOf(answer: FilterAnswer, chosen: string | undefined): Filter | undefined {
  if (answer.data == null) return undefined;
  const value = chosen ?? String(answer.filterValue ?? '');
  const offered = answer.data.map((option) => ({ name: option.name, value: String(option.value) }));
  const isOffered = value === '' || offered.some((option) => option.value === value);
  return {
    label: textOf(answer.uiMetaData, 'content') || (answer.optionName?.split('.').at(-1) ?? titleOf(answer)),
    value,
    options: [
      ...(answer.canBeEmpty === true || value === '' ? [{ name: '', value: '' }] : []),
      ...offered,
      ...(isOffered ? [] : [{ name: value, value }]),
    ],
  };
}
