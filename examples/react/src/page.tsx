/** A page of a policy: all of it by one component, or a form and a grid with looks of their own. */
import { createClient } from '@blockwork/client';
import { BlockworkProvider, PolicyPage, useForm, useGrid } from '@blockwork/react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

interface ReportsProps {
  readonly policy: string;
}

function Reports({ policy }: ReportsProps): ReactNode {
  const form = useForm(policy, 'report');
  const reports = useGrid(policy, 'my_reports', { itemsPerPage: 5 });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      {form.fields.map(({ path, title, text, problem, change }) => (
        <label key={path}>
          {title}{' '}
          <input
            value={text}
            onChange={(event) => {
              change(event.target.value);
            }}
          />
          <em>{problem}</em>
        </label>
      ))}
      <button disabled={form.isSending}>Report</button>
      <output>{reports.isLoading ? '' : `${String(reports.total ?? reports.rows.length)} reported`}</output>
    </form>
  );
}

// The address names the token of the person and the policy; a page of yours has them from its sign-in.
const address = new URLSearchParams(window.location.search);
const policy = address.get('policy') ?? 'sunlight';
const client = createClient({ url: window.location.origin, token: address.get('token') ?? '' });
const place = document.getElementById('page');
if (place === null) throw new Error('The page has no element for the policy.');
createRoot(place).render(
  <BlockworkProvider client={client}>
    {address.has('reports') ? <Reports policy={policy} /> : <PolicyPage id={policy} />}
  </BlockworkProvider>,
);
