/** Page, order and filters of a grid in the URL. */
import type { GridSorting, GridState } from '@blockwork/react';

export const sizes = [10, 25, 50, 100] as const;
const [usualSize] = sizes;

/** Prefix of filter parameters in the URL. */
const FILTER = 'filter.';
const uuid = /^[0-9a-f-]{36}$/i;

/** Parses the state leniently; invalid values are ignored. */
export function gridStateIn(parameters: ReadonlyMap<string, string>): GridState {
  const page = parameters.get('page') ?? '';
  const size = sizes.find((each) => String(each) === parameters.get('size'));
  return {
    page: /^\d{1,9}$/.test(page) ? Number(page) : 0,
    itemsPerPage: size ?? usualSize,
    sorting: sortingIn(parameters.get('sort') ?? ''),
    chosen: Object.fromEntries(
      [...parameters].flatMap(([name, value]) => {
        const filter = name.slice(FILTER.length);
        return name.startsWith(FILTER) && uuid.test(filter) ? [[filter, value]] : [];
      }),
    ),
  };
}

/** A path, with the prefix `-` for descending order. */
function sortingIn(text: string): GridSorting | null {
  const sortField = text.replace(/^-/, '');
  if (sortField === '') return null;
  return { sortField, sortDirection: text.startsWith('-') ? 'desc' : 'asc' };
}

/** The parameters that say so; `null` for those that are as usual. */
export const parametersOf = ({ page, itemsPerPage, sorting, chosen }: GridState): Record<string, string | null> => ({
  page: page === 0 ? null : String(page),
  size: itemsPerPage === usualSize ? null : String(itemsPerPage),
  sort: sorting && (sorting.sortDirection === 'desc' ? `-${sorting.sortField}` : sorting.sortField),
  ...Object.fromEntries(Object.entries(chosen).map(([filter, value]) => [FILTER + filter, value])),
});
