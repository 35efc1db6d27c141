/** A grid's filter. The grid holds its value and passes it to the server. */
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';
import { Loading } from '../../ui/loading.js';
import { useBlock, type Slot } from '../policy-context.js';
import { textOf, titleOf } from '../titles.js';

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

export function Filter({ block, chosen, onChoose }: FilterProps): ReactNode {
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
