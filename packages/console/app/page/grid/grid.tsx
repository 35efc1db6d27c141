/** A grid of documents; the server pages, sorts and filters it. */
import { type BlockViewProps, type Slot, textOf, titleOf } from '@blockwork/react';
import { type Column, type ColumnGroup, columnGroups, type GridRow } from '@blockwork/react/rows';
import { type ReactNode, useMemo } from 'react';
import { useAddressTexts } from '../../shell/hash-location.js';
import { texts } from '../../texts.js';
import { Loaded } from '../../ui/loaded.js';
import { Loading } from '../../ui/loading.js';
import { useBlock } from '../policy-context.js';
import { GridCell } from './grid-cell.js';
import { FILTER, type GridState, gridStateIn, sizes, type Sorting, usualSize } from './grid-state.js';
import { usualColumns } from './usual-columns.js';

interface GridAnswer extends Slot {
  readonly data: readonly GridRow[];
  readonly fields?: readonly Column[];
  readonly title?: string;
  readonly enableSorting?: boolean;
  /** Slots of filters. */
  readonly blocks: readonly Slot[];
  readonly totalCount?: number;
  readonly page?: number;
  readonly pageSize?: number;
}

export default function Grid({ block }: BlockViewProps): ReactNode {
  const address = useGridAddress(block.id);
  const { page, itemsPerPage, sorting, filters } = address;
  const query = useBlock<GridAnswer>(block.id, { ...filters, page, itemsPerPage, ...sorting });
  return (
    <Loaded query={query}>
      {(answer) => (
        <section className="card grid in-order" aria-busy={query.isFetching}>
          <Heading answer={answer} />
          <div className="filters">
            {answer.blocks.map((slot) => (
              <Filter
                key={slot.id}
                block={slot}
                chosen={filters[slot.id]}
                onChoose={(value) => {
                  address.filter(slot.id, value);
                }}
              />
            ))}
          </div>
          <Table answer={answer} sorting={sorting} onSort={address.sort} />
          <Pager
            page={page}
            itemsPerPage={itemsPerPage}
            shown={answer.data.length}
            total={answer.totalCount}
            onPage={address.goTo}
            onSize={address.resize}
          />
        </section>
      )}
    </Loaded>
  );
}

function Heading({ answer }: { readonly answer: GridAnswer }): ReactNode {
  const title = answer.title ?? textOf(answer.uiMetaData, 'title');
  return title === '' ? null : <h2>{title}</h2>;
}

interface TableProps {
  readonly answer: GridAnswer;
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting) => void;
}

function Table({ answer, sorting, onSort }: TableProps): ReactNode {
  const groups = columnGroups(answer.fields ?? [], usualColumns);
  if (answer.data.length === 0) return <p className="quiet">{texts.page.noRows}</p>;
  return (
    <div className="scroll" role="region" aria-label={answer.title ?? texts.page.document} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {groups.map((group) => (
              <Header
                key={group.title}
                group={group}
                isSortable={answer.enableSorting === true}
                sorting={sorting}
                onSort={onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {answer.data.map((row) => (
            <tr key={row.id}>
              {groups.map((group) => (
                <td key={group.title}>
                  <GridCell group={group} row={row} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeaderProps {
  readonly group: ColumnGroup;
  readonly isSortable: boolean;
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting) => void;
}

function Header({ group: { title, columns }, isSortable, sorting, onSort }: HeaderProps): ReactNode {
  const name = columns.find(({ type }) => type === 'text')?.name ?? '';
  if (!isSortable || name === '') return <th scope="col">{title}</th>;
  const direction = sorting?.sortField === name ? sorting.sortDirection : null;
  const sorted = { asc: 'ascending', desc: 'descending' } as const;
  return (
    <th scope="col" aria-sort={direction === null ? 'none' : sorted[direction]}>
      <button
        type="button"
        className="link"
        onClick={() => {
          onSort({ sortField: name, sortDirection: direction === 'asc' ? 'desc' : 'asc' });
        }}
      >
        {title} {direction === null ? '' : direction === 'asc' ? '↑' : '↓'}
      </button>
    </th>
  );
}

interface PagerProps {
  readonly page: number;
  readonly itemsPerPage: number;
  readonly shown: number;
  /** Absent if the grid is not paged. */
  readonly total: number | undefined;
  readonly onPage: (page: number) => void;
  readonly onSize: (size: number) => void;
}

function Pager({ page, itemsPerPage, shown, total, onPage, onSize }: PagerProps): ReactNode {
  if (total === undefined) return shown === 0 ? null : <p className="quiet">{texts.page.rows(shown)}</p>;
  const pages = Math.max(1, Math.ceil(total / itemsPerPage));
  return (
    <div className="pager">
      <span className="quiet">{texts.page.rows(total)}</span>
      <label>
        <span className="quiet">{texts.page.pageSize}</span>{' '}
        <select
          value={itemsPerPage}
          onChange={(event) => {
            onSize(Number(event.target.value));
          }}
        >
          {sizes.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </label>
      <button
        type="button"
        disabled={page === 0}
        onClick={() => {
          // A page beyond the end leads to the last one.
          onPage(Math.min(page, pages) - 1);
        }}
      >
        {texts.page.previous}
      </button>
      <span aria-live="polite">{texts.page.pageOf(page + 1, pages)}</span>
      <button
        type="button"
        disabled={page + 1 >= pages}
        onClick={() => {
          onPage(page + 1);
        }}
      >
        {texts.page.next}
      </button>
    </div>
  );
}

interface GridAddress extends GridState {
  readonly goTo: (page: number) => void;
  // These change the content of every page, so they return to the first one.
  readonly resize: (itemsPerPage: number) => void;
  readonly sort: (sorting: Sorting) => void;
  readonly filter: (uuid: string, value: string) => void;
}

function useGridAddress(grid: string): GridAddress {
  const [addressTexts, change] = useAddressTexts(`${grid}.`);
  const state = useMemo(() => gridStateIn(addressTexts), [addressTexts]);
  return {
    ...state,
    goTo: (page) => {
      change({ page: page === 0 ? null : String(page) });
    },
    resize: (size) => {
      change({ page: null, size: size === usualSize ? null : String(size) });
    },
    sort: ({ sortField, sortDirection }) => {
      change({ page: null, sort: sortDirection === 'desc' ? `-${sortField}` : sortField });
    },
    filter: (filter, value) => {
      change({ page: null, [FILTER + filter]: value });
    },
  };
}

interface FilterAnswer extends Slot {
  readonly type?: string;
  readonly canBeEmpty?: boolean;
  readonly data?: readonly { readonly name: string; readonly value: string | number | boolean }[] | null;
  /** The value stored for the user, or the default. */
  readonly filterValue?: string | number | boolean | null;
  /** Path of the field whose values are offered. */
  readonly optionName?: string;
}

/** The filter's configured title, otherwise the name of its field. */
const labelOf = (answer: FilterAnswer): string =>
  textOf(answer.uiMetaData, 'content') || (answer.optionName?.split('.').at(-1) ?? titleOf(answer));

interface FilterProps {
  readonly block: Slot;
  /** Absent if nothing was chosen here; the server's value then applies. */
  readonly chosen: string | undefined;
  readonly onChoose: (value: string) => void;
}

function Filter({ block, chosen, onChoose }: FilterProps): ReactNode {
  const { data: answer, isPending } = useBlock<FilterAnswer>(block.id);
  if (isPending) return <Loading />;
  if (answer?.data == null) return null;
  const value = chosen ?? String(answer.filterValue ?? '');
  const values = answer.data.map((option) => ({ name: option.name, value: String(option.value) }));
  // A shared link may select a value that no row has any more; it is still shown.
  const isOffered = value === '' || values.some((option) => option.value === value);
  return (
    <label>
      <span className="quiet">{labelOf(answer)}</span>{' '}
      <select
        value={value}
        onChange={(event) => {
          onChoose(event.target.value);
        }}
      >
        {(answer.canBeEmpty === true || value === '') && <option value="">{texts.page.all}</option>}
        {[...values, ...(isOffered ? [] : [{ name: value, value }])].map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
    </label>
  );
}
