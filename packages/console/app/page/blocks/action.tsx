/** An action block outside of a grid. */
import { type BlockViewProps, type Slot, textOf, titleOf } from '@blockwork/react';
import type { ReactNode } from 'react';
import { Failure } from '../../ui/failure.js';
import { Loaded } from '../../ui/loaded.js';
import { useBlock, useSend } from '../policy-context.js';
import { SendButton } from '../send-button.js';

interface ActionAnswer extends Slot {
  readonly type?: string;
  readonly options?: readonly { readonly name: string; readonly value: string }[];
}

export function ActionBlock({ block }: BlockViewProps): ReactNode {
  const query = useBlock<ActionAnswer>(block.id);
  const send = useSend({ uuid: block.id });
  return (
    <Loaded query={query}>
      {(answer) => (
        <section className="card stack">
          <h2>{titleOf(answer)}</h2>
          <p className="quiet">{textOf(answer.uiMetaData, 'description')}</p>
          <div className="actions">
            {(answer.options ?? []).map(({ name, value }) => (
              <SendButton key={value} send={send} data={{ value }}>
                {name}
              </SendButton>
            ))}
          </div>
          {send.error !== null && <Failure error={send.error} />}
        </section>
      )}
    </Loaded>
  );
}
