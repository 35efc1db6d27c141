/** A form for a credential. */
import { type BlockViewProps, type Slot, textOf, titleOf } from '@blockwork/react';
import { lazy, Suspense, type ReactNode } from 'react';
import { Loading } from '../../ui/loading.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { Loaded } from '../../ui/loaded.js';
import { useBlock } from '../policy-context.js';

const BlockForm = lazy(async () => import('./block-form.js'));

export default function Form({ block }: BlockViewProps): ReactNode {
  const query = useBlock<Slot>(block.id);
  return (
    <Loaded query={query}>
      {(answer) => {
        const title = titleOf(answer);
        if (textOf(answer.uiMetaData, 'type') === 'dialog') {
          return (
            <div className="card">
              <p className="quiet">{textOf(answer.uiMetaData, 'description')}</p>
              <DialogButton
                label={textOf(answer.uiMetaData, 'content') || title}
                title={textOf(answer.uiMetaData, 'title') || textOf(answer.uiMetaData, 'content') || title}
                className="primary"
              >
                {(close) => <BlockForm block={{ uuid: block.id }} onSent={close} />}
              </DialogButton>
            </div>
          );
        }
        return (
          <section className="card">
            <h2>{title}</h2>
            <p className="quiet">{textOf(answer.uiMetaData, 'description')}</p>
            <Suspense fallback={<Loading />}>
              <BlockForm block={{ uuid: block.id }} />
            </Suspense>
          </section>
        );
      }}
    </Loaded>
  );
}
