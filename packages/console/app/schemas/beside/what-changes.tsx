/** What differs between a schema and the latest published version of the policy. */
import { statusIs } from '@blockwork/client';
import { readSchema, type SchemaModel } from '@blockwork/contract/schema-model';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../../api/server.js';
import { Loaded } from '../../ui/loaded.js';
import type { Entry } from '../draft/entries.js';
import { useDefinition } from '../draft/use-schema-draft.js';
import { schemaTexts } from '../schema-texts.js';
import { fieldChanges } from './field-changes.js';

const texts = schemaTexts.beside;

interface ChangesProps {
  readonly policyId: string;
  readonly entry: Entry;
  readonly model: SchemaModel;
}

export function WhatChanges({ policyId, entry, model }: ChangesProps): ReactNode {
  const client = useClient();
  const versions = useQuery({
    queryKey: ['versions', policyId],
    queryFn: async ({ signal }) => client.policy(policyId).versions({ signal }),
  });
  return (
    <Loaded query={versions}>
      {(all) => {
        const published = all.filter(({ id, status }) => id !== policyId && statusIs(status, 'published')).at(-1);
        if (published === undefined) return <p className="quiet">{texts.unpublished}</p>;
        return <Since id={published.id} entry={entry} model={model} />;
      }}
    </Loaded>
  );
}

function Since({ id, entry, model }: Omit<ChangesProps, 'policyId'> & { readonly id: string }): ReactNode {
  return (
    <Loaded query={useDefinition(id)}>
      {({ entries }) => {
        const before =
          entries.find(({ iri }) => baseOf(iri) === baseOf(entry.iri)) ??
          entries.find(({ name }) => name === entry.name);
        if (before === undefined) return <p className="quiet">{texts.newSchema}</p>;
        const { added, removed, changed, hasOtherRules } = fieldChanges(readSchema(before.document), model);
        if (added.length + removed.length + changed.length === 0 && !hasOtherRules)
          return <p className="quiet">{texts.same}</p>;
        return (
          <>
            <Named title={texts.added} names={added} />
            <Named title={texts.removed} names={removed} />
            <Named title={texts.changed} names={changed} />
            {hasOtherRules && <p>{texts.conditions}</p>}
          </>
        );
      }}
    </Loaded>
  );
}

/** Publishing adds the version. */
const baseOf = (iri: string): string => iri.replace(/&.*$/, '');

const Named = ({ title, names }: { readonly title: string; readonly names: readonly string[] }): ReactNode =>
  names.length > 0 && (
    <>
      <h3>{title}</h3>
      <ul>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </>
  );
