/** Views of texts, of the choice of a role, and of actions. */
import type { ReactNode } from 'react';
import { useBlock } from '../hooks/use-block.js';
import { useSend } from '../hooks/use-send.js';
import { type Slot, textOf, titleOf } from '../slot.js';
import { type BlockViewProps, Failure, usePolicyId } from './views.js';

export function InformationView({ block }: BlockViewProps): ReactNode {
  const { data } = useBlock<Slot>(usePolicyId(), { uuid: block.id });
  return data === undefined ? null : <Head answer={data} />;
}

const Head = ({ answer }: { readonly answer: Slot }): ReactNode => (
  <header>
    <h2>{titleOf(answer)}</h2>
    {textOf(answer.uiMetaData, 'description') !== '' && <p>{textOf(answer.uiMetaData, 'description')}</p>}
  </header>
);

interface RolesAnswer extends Slot {
  readonly roles: readonly string[];
  readonly groups: readonly string[];
}

export function RolesView({ block }: BlockViewProps): ReactNode {
  const answer = useBlock<RolesAnswer>(usePolicyId(), { uuid: block.id }).data;
  if (answer === undefined) return null;
  const choices = [
    ...answer.roles.map((role) => ({ name: role, data: { role } })),
    ...answer.groups.map((group) => ({ name: group, data: { group, label: group } })),
  ];
  return <Choices block={block} answer={answer} choices={choices} />;
}

interface ActionAnswer extends Slot {
  readonly options?: readonly { readonly name: string; readonly value: string }[];
}

export function ActionView({ block }: BlockViewProps): ReactNode {
  const answer = useBlock<ActionAnswer>(usePolicyId(), { uuid: block.id }).data;
  if (answer === undefined) return null;
  const choices = (answer.options ?? []).map(({ name, value }) => ({ name, data: { value } }));
  return <Choices block={block} answer={answer} choices={choices} />;
}

interface ChoicesProps extends BlockViewProps {
  readonly answer: Slot;
  readonly choices: readonly { readonly name: string; readonly data: unknown }[];
}

function Choices({ block, answer, choices }: ChoicesProps): ReactNode {
  const send = useSend(usePolicyId(), { uuid: block.id });
  return (
    <section className="blockwork-block">
      <Head answer={answer} />
      {choices.map(({ name, data }) => (
        <button
          key={name}
          type="button"
          disabled={send.isPending}
          onClick={() => {
            send.mutate(data);
          }}
        >
          {name}
        </button>
      ))}
      <Failure error={send.error} />
    </section>
  );
}
