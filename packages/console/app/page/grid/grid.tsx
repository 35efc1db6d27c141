/** A grid of documents; the server pages, sorts and filters it. */
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';
import { Loaded } from '../../ui/loaded.js';
import { useBlock, type Slot, type BlockProps } from '../policy-context.js';
import { Filter } from './filter.js';
import { useGridAddress } from './grid-address.js';
import { GridCell } from './grid-cell.js';
import { sizes, type Sorting } from './grid-state.js';
import { columnGroups, type Column, type ColumnGroup, type GridRow } from './rows.js';
import { textOf } from '../titles.js';

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

export default function Grid({ block }: BlockProps): ReactNode {
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
  const groups = columnGroups(answer.fields ?? []);
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
