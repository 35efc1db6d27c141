/** A grid cell: text, a document to open, or the block bound to its column. */
import { useContext, type ReactNode } from 'react';
import { useAddressTexts } from '../../shell/hash-location.js';
import { texts } from '../../texts.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { Failure } from '../../ui/failure.js';
import { JsonView } from '../../ui/json-view.js';
import { Loading } from '../../ui/loading.js';
import { dateText, isMoment, valueAt } from '../../ui/format.js';
import { openAnswer, PolicyContext, useSend, useTaggedBlock } from '../policy-context.js';
import { tabsTo } from '../tabs-to.js';
import { BoundBlock } from './bound-block.js';
import { boundTags, cellText, columnFor, type Column, type ColumnGroup, type GridRow } from './rows.js';

export function GridCell({ group, row }: { readonly group: ColumnGroup; readonly row: GridRow }): ReactNode {
  const column = columnFor(group, row);
  if (column === undefined) return null;
  const { action, bindBlock = '' } = column;
  if (action === 'dialog' && bindBlock === '') return <DocumentDialog column={column} row={row} />;
  if (action === 'link' && bindBlock !== '') return <LinkCell column={column} row={row} />;
  const tags = boundTags(column);
  if (tags.length === 0) return <CellText text={cellText(column, row)} />;
  const blocks = tags.map((tag) => <BoundBlock key={tag} tag={tag} row={row} column={column} />);
  return tags.length === 1 ? blocks : <div className="actions">{blocks}</div>;
}

const CellText = ({ text }: { readonly text: string }): ReactNode =>
  isMoment(text) ? <time dateTime={text}>{dateText(text)}</time> : text;

const DocumentDialog = ({ column, row }: { readonly column: Column; readonly row: GridRow }): ReactNode => (
  <DialogButton label={cellText(column, row) || texts.page.open} title={texts.page.document}>
    {() => <JsonView value={valueAt(row, column.name || 'document') ?? row['document']} />}
  </DialogButton>
);

/** Sets the filter of another block, such as a report, and opens the tabs around that block. */
function LinkCell({ column, row }: { readonly column: Column; readonly row: GridRow }): ReactNode {
  const tag = column.bindBlock ?? '';
  const query = useTaggedBlock<{ readonly id: string }>(tag);
  const target = openAnswer(query);
  const send = useSend(tag);
  const { config } = useContext(PolicyContext);
  const [, changeAddress] = useAddressTexts('');
  if (query.isPending) return <Loading />;
  if (target === undefined) return null;
  const show = (uuid: string): void => {
    const tabs = tabsTo(config, uuid) ?? {};
    const [outer] = Object.values(tabs);
    if (outer === undefined) return;
    changeAddress(tabs);
    // The button unmounts with its tab.
    document.getElementById(`tab-${outer}`)?.focus();
  };
  return (
    <>
      <button
        type="button"
        className="link"
        onClick={() => {
          const filter = { filterValue: valueAt(row, column.name ?? '') };
          send.mutate(filter, {
            onSuccess: () => {
              show(target.id);
            },
          });
        }}
      >
        {column.content || texts.page.trustChain}
      </button>
      {send.error !== null && <Failure error={send.error} />}
    </>
  );
}
