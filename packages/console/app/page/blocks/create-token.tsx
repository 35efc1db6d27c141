/** A form for the open properties of a token template, which creates the token. */
import { type BlockViewProps, type Slot, textOf, titleOf } from '@blockwork/react';
import { valueText } from '@blockwork/react/rows';
import { Fragment, useState, type ReactNode } from 'react';
import { texts } from '../../texts.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { Failure } from '../../ui/failure.js';
import { Loaded } from '../../ui/loaded.js';
import { useBlock, useSend } from '../policy-context.js';

type Details = Readonly<Record<string, unknown>>;

interface TokenAnswer extends Slot {
  /** Whether a document waits for the token. */
  readonly active: boolean;
  /** The values set by the template. */
  readonly data: Details;
}

const words = ['tokenName', 'tokenSymbol'] as const;
const flags = ['changeSupply', 'enableAdmin', 'enableFreeze', 'enableKYC', 'enableWipe'] as const;
const labels = texts.newToken.fields;
const names = Object.keys(labels) as (keyof typeof labels)[];
const types = texts.newToken.types;

export default function CreateToken({ block }: BlockViewProps): ReactNode {
  const query = useBlock<TokenAnswer>(block.id);
  return (
    <Loaded query={query}>
      {(answer) => (
        <section className="card stack">
          <h2>{titleOf(answer)}</h2>
          <Description text={textOf(answer.uiMetaData, 'description')} />
          {answer.active ? <Waiting answer={answer} /> : <p className="quiet">{texts.newToken.nothing}</p>}
        </section>
      )}
    </Loaded>
  );
}

const Description = ({ text }: { readonly text: string }): ReactNode => text !== '' && <p className="quiet">{text}</p>;

function Waiting({ answer }: { readonly answer: TokenAnswer }): ReactNode {
  if (textOf(answer.uiMetaData, 'type') !== 'dialog') return <TokenForm answer={answer} />;
  return (
    <div>
      <DialogButton
        label={textOf(answer.uiMetaData, 'content') || texts.newToken.make}
        title={titleOf(answer)}
        className="primary"
      >
        {() => <TokenForm answer={answer} />}
      </DialogButton>
    </div>
  );
}

function TokenForm({ answer: { id: uuid, data } }: { readonly answer: TokenAnswer }): ReactNode {
  const send = useSend({ uuid });
  const [stated, setSaid] = useState<Details>({ tokenType: 'fungible' });
  const say = (name: string, value: unknown): void => {
    setSaid((before) => ({ ...before, [name]: value }));
  };
  const isOpen = (name: string): boolean => !Object.hasOwn(data, name);
  const type = data['tokenType'] ?? stated['tokenType'];
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate(Object.fromEntries(Object.entries(stated).filter(([name, value]) => isOpen(name) && value !== '')));
      }}
    >
      <Given data={data} />
      {words.filter(isOpen).map((name) => (
        <label key={name}>
          {labels[name]}
          <input
            className="form-control"
            required
            maxLength={100}
            value={valueText(stated[name])}
            onChange={(event) => {
              say(name, event.target.value);
            }}
          />
        </label>
      ))}
      {isOpen('tokenType') && (
        <label>
          {labels.tokenType}{' '}
          <select
            value={valueText(stated['tokenType'])}
            onChange={(event) => {
              say('tokenType', event.target.value);
            }}
          >
            {Object.entries(types).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {isOpen('decimals') && type !== 'non-fungible' && (
        <label>
          {labels.decimals}{' '}
          <input
            type="number"
            min={0}
            max={18}
            step={1}
            placeholder="0"
            value={valueText(stated['decimals'])}
            onChange={(event) => {
              say('decimals', event.target.value);
            }}
          />
        </label>
      )}
      {flags.filter(isOpen).map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={stated[name] === true}
            onChange={(event) => {
              say(name, event.target.checked);
            }}
          />{' '}
          {labels[name]}
        </label>
      ))}
      <div className="actions">
        <button type="submit" className="primary" disabled={send.isPending}>
          {texts.newToken.make}
        </button>
      </div>
      {send.error !== null && <Failure error={send.error} />}
    </form>
  );
}

/** The properties fixed by the policy. */
function Given({ data }: { readonly data: Details }): ReactNode {
  const present = names.filter((name) => Object.hasOwn(data, name));
  if (present.length === 0) return null;
  return (
    <dl>
      {present.map((name) => (
        <Fragment key={name}>
          <dt>{labels[name]}</dt>
          <dd>{shown(data[name])}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function shown(value: unknown): string {
  const text = valueText(value);
  const labels: Readonly<Record<string, string>> = { ...texts.newToken.values, ...types };
  return Object.hasOwn(labels, text) ? (labels[text] ?? text) : text;
}
