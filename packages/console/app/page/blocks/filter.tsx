/** A filter of a grid. */
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { useBlock, useSend, type Slot } from '../policy-context.js';
import { textOf, titleOf } from './titles.js';

interface FilterAnswer extends Slot {
  readonly type?: string;
  readonly canBeEmpty?: boolean;
  readonly data?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly filterValue?: string | null;
  /** Path of the field whose values are offered. */
  readonly optionName?: string;
}

/** What the author called the filter, else the field that it offers. */
const labelOf = (answer: FilterAnswer): string =>
  textOf(answer.uiMetaData, 'content') || (answer.optionName?.split('.').at(-1) ?? titleOf(answer));

export function Filter({ block }: { readonly block: Slot }): ReactNode {
  const { data: answer } = useBlock<FilterAnswer>(block.id);
  const send = useSend({ uuid: block.id });
  if (answer?.data == null) return null;
  return (
    <label>
      <span className="quiet">{labelOf(answer)}</span>{' '}
      <select
        value={answer.filterValue ?? ''}
        onChange={(event) => {
          send.mutate({ filterValue: event.target.value === '' ? null : event.target.value });
        }}
      >
        <option value="">{texts.page.all}</option>
        {answer.data.map(({ name, value }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      {send.error !== null && <Failure error={send.error} />}
    </label>
  );
}
