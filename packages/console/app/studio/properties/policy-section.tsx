/** What the policy says beside its blocks: its name, its description, and its roles. */
import type { ReactNode } from 'react';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import { AddLine, TextField } from './fields.js';

const texts = studioTexts.properties;

export function PolicySection(): ReactNode {
  const { definition, edit, isReadOnly } = useStudio();
  const { name, description, policyRoles } = definition;
  return (
    <details open>
      <summary>{texts.policy}</summary>
      <TextField label={texts.policyName} value={name} edits={(value) => [{ op: 'setText', name: 'name', value }]} />
      <TextField
        label={texts.policyDescription}
        value={description}
        isLong
        edits={(value) => [{ op: 'setText', name: 'description', value }]}
      />
      <h3>{texts.roles}</h3>
      {policyRoles.length === 0 && <p className="quiet">{texts.noRoles}</p>}
      <ul className="plain link-chips">
        {policyRoles.map((role) => (
          <li key={role}>
            {role}
            {!isReadOnly && (
              <button
                type="button"
                className="quiet-button"
                aria-label={texts.removeRole(role)}
                title={texts.removeRole(role)}
                onClick={() => void edit([{ op: 'removeEntry', list: 'policyRoles', entry: role }])}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      {!isReadOnly && (
        <AddLine label={texts.newRole} onAdd={(value) => void edit([{ op: 'addEntry', list: 'policyRoles', value }])} />
      )}
    </details>
  );
}
