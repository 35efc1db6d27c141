/** Parses the page, order and filters of a grid from the URL. */

export interface Sorting {
  readonly sortField: string;
  readonly sortDirection: 'asc' | 'desc';
}

export interface GridState {
  /** From 0. */
  readonly page: number;
  readonly itemsPerPage: number;
  readonly sorting: Sorting | null;
  /** Values by filter UUID; an empty text clears the value that the server has stored. */
  readonly filters: Readonly<Record<string, string>>;
}

export const sizes = [10, 25, 50, 100] as const;
export const [usualSize] = sizes;

/** Prefix of filter parameters in the URL. */
export const FILTER = 'filter.';
const uuid = /^[0-9a-f-]{36}$/i;

/** Parses the state leniently; invalid values are ignored. */
export function gridStateIn(parameters: ReadonlyMap<string, string>): GridState {
  const page = parameters.get('page') ?? '';
  const size = sizes.find((each) => String(each) === parameters.get('size'));
  return {
    page: /^\d{1,9}$/.test(page) ? Number(page) : 0,
    itemsPerPage: size ?? usualSize,
    sorting: sortingIn(parameters.get('sort') ?? ''),
    filters: Object.fromEntries(
      [...parameters].flatMap(([name, value]) => {
        const filter = name.slice(FILTER.length);
        return name.startsWith(FILTER) && uuid.test(filter) ? [[filter, value]] : [];
      }),
    ),
  };
}

/** A path, with the prefix `-` for descending order. */
function sortingIn(text: string): Sorting | null {
  const sortField = text.replace(/^-/, '');
  if (sortField === '') return null;
  return { sortField, sortDirection: text.startsWith('-') ? 'desc' : 'asc' };
}
