/** A grid cell: text, a document to open, or the block bound to its column. */
import { openAnswer, type Slot, textOf, titleOf } from '@blockwork/react';
import {
  boundTags,
  cellText,
  type Column,
  columnFor,
  type ColumnGroup,
  type GridRow,
  valueAt,
  withValue,
} from '@blockwork/react/rows';
import { lazy, type ReactNode, Suspense, useContext } from 'react';
import { useAddressTexts } from '../../shell/hash-location.js';
import { texts } from '../../texts.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { download } from '../../ui/download.js';
import { Failure } from '../../ui/failure.js';
import { dateText, isMoment } from '../../ui/format.js';
import { JsonView } from '../../ui/json-view.js';
import { Loading } from '../../ui/loading.js';
import { PolicyContext, useSend, useTaggedBlock } from '../policy-context.js';
import { SendButton } from '../send-button.js';
import { tabsTo } from '../tabs-to.js';
import { ButtonsOfRow } from './buttons.js';
import { type AddonProps, ButtonAddon, ChoiceAddon } from './row-addons.js';

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

const BlockForm = lazy(async () => import('../form/block-form.js'));
const TagsOfRow = lazy(async () => import('./tags-of-row.js'));

interface BoundProps {
  readonly tag: string;
  readonly row: GridRow;
  readonly column: Column;
}

type BoundAnswer = Slot & {
  readonly hideWhenDiscontinued?: boolean;
  /** Of a form that is an addon of the grid. */
  readonly buttonName?: string;
  readonly dialogTitle?: string;
  readonly dialogDescription?: string;
};

/** Renders nothing if the block is not open to the user; the row is then read-only. */
function BoundBlock({ tag, row, column }: BoundProps): ReactNode {
  const { status } = useContext(PolicyContext);
  const query = useTaggedBlock<BoundAnswer>(tag);
  if (query.isPending) return <Loading />;
  const answer = openAnswer(query);
  const text = cellText(column, row);
  if (answer === undefined) return text;
  if (answer.hideWhenDiscontinued === true && status === 'DISCONTINUED') return text;
  switch (answer.blockType) {
    case 'buttonBlock':
      return <ButtonsOfRow uuid={answer.id} uiMetaData={answer.uiMetaData} row={row} />;
    case 'buttonBlockAddon':
      return <ButtonAddon answer={answer} row={row} />;
    case 'dropdownBlockAddon':
      return <ChoiceAddon answer={answer} row={row} title={column.title ?? ''} />;
    case 'integrationButtonBlock':
    case 'transformationButtonBlock':
      return <AskingButton answer={answer} row={row} />;
    case 'interfaceActionBlock':
      return <ActionOfRow answer={answer} row={row} />;
    case 'requestVcDocumentBlock':
      return <FormOfRow tag={tag} answer={answer} row={row} label={column.content} />;
    case 'requestVcDocumentBlockAddon':
      return <FormOfRow tag={tag} answer={answer} row={row} />;
    case 'multiSignBlock':
      return <VoteOnRow uuid={answer.id} row={row} />;
    case 'tagsManager':
      return (
        <Suspense fallback={<Loading />}>
          <TagsOfRow uuid={answer.id} row={row} />
        </Suspense>
      );
    default:
      return text;
  }
}

interface FormProps {
  readonly tag: string;
  readonly answer: BoundAnswer;
  readonly row: GridRow;
  /** Of the column. */
  readonly label?: string | undefined;
}

function FormOfRow({ tag, answer, row, label }: FormProps): ReactNode {
  const name = answer.buttonName || textOf(answer.uiMetaData, 'content') || titleOf(answer);
  return (
    <DialogButton label={label || name} title={answer.dialogTitle || name}>
      {(close) => (
        <Suspense fallback={<Loading />}>
          {answer.dialogDescription && <p className="quiet">{answer.dialogDescription}</p>}
          <BlockForm block={tag} row={row} onSent={close} />
        </Suspense>
      )}
    </DialogButton>
  );
}

function ActionOfRow({ answer, row }: { readonly answer: Slot; readonly row: GridRow }): ReactNode {
  const send = useSend({ uuid: answer.id });
  const { options = [] } = (answer.uiMetaData ?? {}) as {
    readonly options?: readonly { name: string; value: string; tag: string }[];
  };
  const { field = 'option.status' } = answer as Slot & { readonly field?: string };
  return (
    <div className="actions">
      {options.map(({ name, value }) => (
        <button
          key={name}
          type="button"
          disabled={send.isPending}
          onClick={() => {
            send.mutate(withValue(row, field, value));
          }}
        >
          {name}
        </button>
      ))}
      {send.error !== null && <Failure error={send.error} />}
    </div>
  );
}

interface VoteState {
  readonly status?: { readonly documentStatus?: string | null; readonly confirmationStatus?: string | null };
}

const choices = [
  ['SIGNED', texts.rows.sign],
  ['DECLINED', texts.rows.decline],
] as const;

function VoteOnRow({ uuid, row }: { readonly uuid: string; readonly row: GridRow }): ReactNode {
  const send = useSend({ uuid });
  const { status } = (row.blocks?.[uuid] ?? {}) as VoteState;
  const mine = status?.documentStatus;
  if (status?.confirmationStatus != null) return status.confirmationStatus;
  if (mine != null && mine !== 'NEW') return mine;
  return (
    <div className="actions">
      {choices.map(([choice, name]) => (
        <SendButton key={choice} send={send} data={{ document: { id: row.id }, status: choice }}>
          {name}
        </SendButton>
      ))}
      {send.error !== null && <Failure error={send.error} />}
    </div>
  );
}

interface Answered {
  readonly data?: unknown;
  /** The URL to which programs may post the data. */
  readonly url?: string;
}

function AskingButton({ answer, row }: AddonProps<{ readonly buttonName?: string }>): ReactNode {
  const send = useSend({ uuid: answer.id });
  const name = answer.buttonName || texts.page.send;
  const answered = send.data as Answered | undefined;
  return (
    <div className="actions">
      <SendButton send={send} data={{ document: { id: row.id } }}>
        {name}
      </SendButton>
      {answered !== undefined && (
        <DialogButton label={texts.rows.answer} title={name}>
          {() => <AnswerView name={name} answered={answered} />}
        </DialogButton>
      )}
      <span role="status" className="quiet">
        {answered !== undefined && texts.rows.answered}
      </span>
      {send.error !== null && <Failure error={send.error} />}
    </div>
  );
}

function AnswerView({ name, answered: { data = null, url = '' } }: { name: string; answered: Answered }): ReactNode {
  return (
    <div className="stack">
      {url !== '' && <p className="quiet">{texts.rows.meantFor(url)}</p>}
      <JsonView value={data} />
      <div className="actions">
        <button
          type="button"
          onClick={() => {
            download(JSON.stringify(data, null, 2), `${name}.json`, 'application/json');
          }}
        >
          {texts.rows.save}
        </button>
      </div>
    </div>
  );
}
