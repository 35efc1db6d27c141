/** A new policy: its name, and what it begins as. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../api/server.js';
import { Failure } from '../ui/failure.js';
import { Loaded } from '../ui/loaded.js';
import { ImportMessage } from './import-message.js';
import { studioTexts } from './texts.js';
import './studio.css';

const texts = studioTexts.newPolicy;

export default function NewPolicy(): ReactNode {
  const { routes } = useClient();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [template, setTemplate] = useState<string | null>(null);
  const query = useQuery({
    queryKey: ['templates'],
    queryFn: async ({ signal }) => (await routes.listTemplates({ signal })).data,
  });
  const creating = useMutation({
    mutationFn: async (chosen: string) => (await routes.createPolicy({ body: { name, template: chosen } })).data,
    onSuccess: async ({ policy }) => {
      await queries.invalidateQueries({ queryKey: ['policies'] });
      navigate(`/policies/${encodeURIComponent(policy.id)}/edit`);
    },
  });
  return (
    <Loaded query={query}>
      {(templates) => {
        // What has something in it is the better beginning.
        const chosen = template ?? templates.find(({ name: each }) => each !== 'empty')?.name ?? 'empty';
        return (
          <>
            <form
              className="stack new-policy"
              onSubmit={(event) => {
                event.preventDefault();
                creating.mutate(chosen);
              }}
            >
              <label>
                {texts.name}{' '}
                <input
                  required
                  maxLength={500}
                  value={name}
                  onChange={(event) => {
                    setName(event.target.value);
                  }}
                />
              </label>
              <fieldset>
                <legend>{texts.template}</legend>
                {templates.map((each) => (
                  <label key={each.name} className="flag">
                    <input
                      type="radio"
                      name="template"
                      checked={each.name === chosen}
                      onChange={() => {
                        setTemplate(each.name);
                      }}
                    />
                    <span>
                      <strong>{each.title}</strong> <span className="quiet">{each.description}</span>
                    </span>
                  </label>
                ))}
              </fieldset>
              <p className="quiet">{texts.fromFile}</p>
              {creating.error !== null && <Failure error={creating.error} />}
              <div className="actions">
                <button type="submit" className="primary" disabled={creating.isPending}>
                  {texts.create}
                </button>
              </div>
            </form>
            <ImportMessage />
          </>
        );
      }}
    </Loaded>
  );
}
