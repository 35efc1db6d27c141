/** The savepoints of a policy as a tree, each below the one it was made from. */
import type { ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { DialogButton } from '../ui/dialog-button.js';
import { dateText } from '../ui/format.js';
import { TextForm } from '../ui/text-form.js';
import type { TrialCardProps } from './act.js';

interface SavepointsProps extends TrialCardProps {
  readonly savepoints: readonly SavepointRow[];
  /** The savepoint that the trial started from. */
  readonly current: string | null;
}

export function Savepoints({ savepoints, ...props }: SavepointsProps): ReactNode {
  const { id, isTrial, act } = props;
  const client = useClient();
  return (
    <section className="card">
      <h2>{texts.trial.savepoints}</h2>
      <p className="quiet">{texts.trial.savepointsHint}</p>
      {isTrial && (
        <TextForm
          key={savepoints.length}
          required
          label={texts.trial.savepointName}
          button={texts.trial.keep}
          onSubmit={(name) => {
            act(async () => client.routes.makeSavepoint({ policyId: id, body: { name } }));
          }}
        />
      )}
      {savepoints.length === 0 ? (
        <p>{texts.trial.noSavepoints}</p>
      ) : (
        <Branches branches={branchesOf(savepoints)} {...props} />
      )}
    </section>
  );
}

type BranchesProps = Omit<SavepointsProps, 'savepoints'> & { readonly branches: readonly Branch[] };

const Branches = ({ branches, ...props }: BranchesProps): ReactNode => (
  <ul className="branches">
    {branches.map(({ savepoint, children }) => (
      <li key={savepoint.id}>
        <Row savepoint={savepoint} {...props} />
        {children.length > 0 && <Branches branches={children} {...props} />}
      </li>
    ))}
  </ul>
);

function Row({
  savepoint,
  current,
  id,
  isTrial,
  isBusy,
  act,
}: Omit<SavepointsProps, 'savepoints'> & { readonly savepoint: SavepointRow }): ReactNode {
  const { routes } = useClient();
  const { id: savepointId, name, createDate, documents } = savepoint;
  return (
    <div className="spread branch" aria-current={savepointId === current ? 'step' : undefined}>
      <span>
        <strong>{name}</strong> {savepointId === current && <span className="mark">{texts.trial.current}</span>}
        <br />
        <span className="quiet">
          <time dateTime={createDate}>{dateText(createDate)}</time> · {texts.page.rows(documents)}
        </span>
      </span>
      <span className="actions">
        {isTrial && (
          <button
            type="button"
            disabled={isBusy}
            aria-label={texts.trial.restoreName(name)}
            onClick={() => {
              act(async () => routes.restoreSavepoint({ policyId: id, savepointId }));
            }}
          >
            {texts.trial.restore}
          </button>
        )}
        <DialogButton label={texts.trial.remove} title={texts.trial.removeName(name)}>
          {(close) => (
            <div className="stack">
              <p>{texts.trial.confirmRemove}</p>
              <div className="actions">
                <button
                  type="button"
                  className="danger"
                  onClick={() => {
                    act(async () => routes.deleteSavepoint({ policyId: id, savepointId }));
                    close();
                  }}
                >
                  {texts.trial.remove}
                </button>
              </div>
            </div>
          )}
        </DialogButton>
      </span>
    </div>
  );
}

/** Savepoints as a tree. */

interface SavepointRow {
  readonly id: string;
  readonly name: string;
  readonly createDate: string;
  readonly parent: string | null;
  readonly documents: number;
}

interface Branch {
  readonly savepoint: SavepointRow;
  readonly children: readonly Branch[];
}

/** In the given order, each below its parent; a savepoint without a known parent is a root. */
function branchesOf(savepoints: readonly SavepointRow[]): Branch[] {
  const ids = new Set(savepoints.map(({ id }) => id));
  const below = (parent: string | null): Branch[] =>
    savepoints
      .filter((each) => (each.parent !== null && ids.has(each.parent) ? each.parent : null) === parent)
      .map((savepoint) => ({ savepoint, children: below(savepoint.id) }));
  return below(null);
}
