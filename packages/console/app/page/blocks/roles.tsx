/** Chooses a role, or creates or joins a group. */
import { type BlockViewProps, type Slot, textOf } from '@blockwork/react';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { Loaded } from '../../ui/loaded.js';
import { TextForm } from '../../ui/text-form.js';
import { useBlock, useSend } from '../policy-context.js';
import { SendButton } from '../send-button.js';

interface RolesAnswer extends Slot {
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly groupMap: Readonly<Record<string, { readonly groupAccessType?: string }>>;
}

export function Roles({ block }: BlockViewProps): ReactNode {
  const query = useBlock<RolesAnswer>(block.id);
  return <Loaded query={query}>{(answer) => <RolesForm answer={answer} uuid={block.id} />}</Loaded>;
}

function RolesForm({ answer, uuid }: { readonly answer: RolesAnswer; readonly uuid: string }): ReactNode {
  const { roles, groups, uiMetaData } = answer;
  const send = useSend({ uuid });
  const hasGroups = groups.length > 0;
  return (
    <section className="card stack">
      <h2>{textOf(uiMetaData, 'title') || (roles.length === 0 ? texts.page.chooseGroup : texts.page.chooseRole)}</h2>
      <p className="quiet">{textOf(uiMetaData, 'description')}</p>
      <div className="actions">
        {roles.map((role) => (
          <SendButton key={role} send={send} data={{ role }} className="primary">
            {role}
          </SendButton>
        ))}
        {groups.map((group) => (
          <GroupButton key={group} group={group} answer={answer} onChoose={send.mutate} />
        ))}
      </div>
      {hasGroups && (
        <TextForm
          required
          label={texts.page.invitation}
          button={texts.page.join}
          onSubmit={(invitation) => {
            send.mutate({ invitation });
          }}
        />
      )}
      {send.error !== null && <Failure error={send.error} />}
    </section>
  );
}

interface GroupButtonProps {
  readonly group: string;
  readonly answer: RolesAnswer;
  readonly onChoose: (choice: unknown) => void;
}

function GroupButton({ group, answer, onChoose }: GroupButtonProps): ReactNode {
  const [label, setLabel] = useState('');
  const isLabelled = answer.groupMap[group]?.groupAccessType === 'Private';
  return (
    <form
      className="inline"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose({ group, label });
      }}
    >
      {isLabelled && (
        <input
          required
          aria-label={`${texts.page.label} (${group})`}
          placeholder={texts.page.label}
          value={label}
          onChange={(event) => {
            setLabel(event.target.value);
          }}
        />
      )}
      <button type="submit" className="primary">
        {group}
      </button>
    </form>
  );
}
