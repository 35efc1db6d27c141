/** The user's groups: members, invitations, and removals. */
import { type BlockViewProps, type Slot, titleOf } from '@blockwork/react';
import { useState, type ReactNode } from 'react';
import { POLL_MS } from '../../api/query-client.js';
import { texts } from '../../texts.js';
import { CopyLine } from '../../ui/copy-line.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { Failure } from '../../ui/failure.js';
import { Loaded } from '../../ui/loaded.js';
import { Table } from '../../ui/table.js';
import { useBlock, useSend } from '../policy-context.js';

interface Member {
  readonly did: string;
  readonly username: string;
  readonly role: string;
  readonly type: 'Owner' | 'Member';
  /** The user of the page. */
  readonly current: boolean;
}

interface Group {
  readonly id: string;
  readonly groupName: string;
  readonly groupLabel: string | null;
  readonly canInvite: boolean;
  readonly canDelete: boolean;
  /** Roles that an invitation can offer. */
  readonly roles: readonly string[] | null;
  readonly data: readonly Member[];
}

export default function Groups({ block }: BlockViewProps): ReactNode {
  // Joining happens at a block that members cannot see, so they receive no event.
  const query = useBlock<Slot & { readonly data: readonly Group[] }>(block.id, {}, { refetchInterval: POLL_MS });
  return (
    <Loaded query={query}>
      {(answer) => (
        <section className="card stack">
          <h2>{titleOf(answer)}</h2>
          {answer.data.length === 0 && <p className="quiet">{texts.groups.none}</p>}
          {answer.data.map((group) => (
            <GroupOfUser key={group.id} group={group} uuid={block.id} />
          ))}
        </section>
      )}
    </Loaded>
  );
}

const nameOf = ({ groupLabel, groupName }: Group): string => groupLabel || groupName;

function GroupOfUser({ group, uuid }: { readonly group: Group; readonly uuid: string }): ReactNode {
  return (
    <section className="stack" aria-label={nameOf(group)}>
      <h3>
        {nameOf(group)} {nameOf(group) !== group.groupName && <span className="quiet">{group.groupName}</span>}
      </h3>
      <Table label={texts.groups.membersOf(nameOf(group))} columns={Object.values(texts.groups.columns)}>
        {group.data.map((member) => (
          <tr key={member.did}>
            <th scope="row">
              {member.username || member.did} {member.current && <span className="mark">{texts.groups.you}</span>}
            </th>
            <td>{member.role}</td>
            <td>{texts.groups.standing[member.type]}</td>
            <td>
              {group.canDelete && !member.current && member.type !== 'Owner' && (
                <Removal group={group} member={member} uuid={uuid} />
              )}
            </td>
          </tr>
        ))}
      </Table>
      {group.canInvite && (group.roles ?? []).length > 0 && <Invitation group={group} uuid={uuid} />}
    </section>
  );
}

interface RemovalProps {
  readonly group: Group;
  readonly member: Member;
  readonly uuid: string;
}

function Removal({ group, member, uuid }: RemovalProps): ReactNode {
  const send = useSend({ uuid });
  const [message, setMessage] = useState('');
  const who = member.username || member.did;
  return (
    <DialogButton label={texts.groups.remove} title={texts.groups.removeWho(who, nameOf(group))}>
      {(close) => (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            const removal = { action: 'delete', group: group.id, user: member.did, message };
            send.mutate(removal, { onSuccess: close });
          }}
        >
          <label>
            {texts.groups.reason}
            <textarea
              rows={3}
              maxLength={1000}
              value={message}
              onChange={(event) => {
                setMessage(event.target.value);
              }}
            />
          </label>
          <button type="submit" className="primary" disabled={send.isPending}>
            {texts.groups.remove}
          </button>
          {send.error !== null && <Failure error={send.error} />}
        </form>
      )}
    </DialogButton>
  );
}

function Invitation({ group, uuid }: { readonly group: Group; readonly uuid: string }): ReactNode {
  const roles = group.roles ?? [];
  const send = useSend({ uuid });
  const [chosen, choose] = useState(roles[0] ?? '');
  const { invitation } = (send.data ?? {}) as { readonly invitation?: string };
  return (
    <>
      <form
        className="inline"
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate({ action: 'invite', group: group.id, role: chosen });
        }}
      >
        {roles.length > 1 && (
          <select
            aria-label={texts.groups.inviteAs}
            value={chosen}
            onChange={(event) => {
              choose(event.target.value);
            }}
          >
            {roles.map((role) => (
              <option key={role}>{role}</option>
            ))}
          </select>
        )}
        <button type="submit" disabled={send.isPending}>
          {texts.groups.invite}
        </button>
      </form>
      {invitation !== undefined && (
        <div role="status" className="stack">
          <p className="quiet">{texts.groups.invitation}</p>
          <CopyLine line={invitation} label={texts.groups.copyInvitation} />
        </div>
      )}
      {send.error !== null && <Failure error={send.error} />}
    </>
  );
}
