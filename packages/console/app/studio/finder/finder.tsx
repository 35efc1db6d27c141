/** Finds policies, blocks of the open policy, and its screens, by what one types; opened by Ctrl-K or Cmd-K. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../../api/server.js';
import { policyTabs } from '../../policy/tabs.js';
import { blockNode, type BlockNode } from '../../policy/tree/tree-model.js';
import { usePeople } from '../../session/people.js';
import { texts as consoleTexts } from '../../texts.js';
import { studioTexts } from '../texts.js';
import '../studio.css';

const texts = studioTexts.finder;

/** Lines shown at once. */
const MOST = 12;
/** Policies that are searched. */
const POLICIES = 100;

interface Place {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
}

interface FinderProps {
  /** The open policy, if one is. */
  readonly policyId: string | null;
  readonly onClose: () => void;
}

export default function Finder({ policyId, onClose }: FinderProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [, navigate] = useLocation();
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const places = usePlaces(policyId);
  const matches = useMemo(() => matching(places, wanted), [places, wanted]);
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  const go = (place: Place | undefined): void => {
    if (place === undefined) return;
    onClose();
    navigate(place.path);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt(Math.min(matches.length - 1, Math.max(0, at + step)));
    else if (event.key === 'Enter') go(matches[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} className="finder" aria-label={texts.title} onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="finder-places"
        aria-activedescendant={matches.length === 0 ? undefined : `finder-${String(at)}`}
        aria-label={texts.title}
        placeholder={texts.hint}
        value={wanted}
        onChange={(event) => {
          setWanted(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="finder-places" role="listbox" aria-label={texts.places}>
        {matches.map((place, index) => (
          <div
            key={place.path}
            id={`finder-${String(index)}`}
            role="option"
            aria-selected={index === at}
            className="place"
            onClick={() => {
              go(place);
            }}
          >
            <span>{place.name}</span> <span className="quiet">{place.kind}</span>
          </div>
        ))}
      </div>
      {matches.length === 0 && <p className="quiet">{texts.none}</p>}
    </dialog>
  );
}

function usePlaces(policyId: string | null): readonly Place[] {
  const client = useClient();
  const did = usePeople().active?.did;
  const policies = useQuery({
    queryKey: ['policies', did, 'finder'],
    queryFn: async ({ signal }) =>
      (await client.routes.listPolicies({ query: { pageIndex: 0, pageSize: POLICIES }, signal })).data,
  });
  const open = useQuery({
    queryKey: ['policy', policyId, did],
    queryFn: async ({ signal }) => client.policy(policyId ?? '').get({ signal }),
    enabled: policyId !== null,
  });
  return useMemo(() => {
    const within = open.data === undefined ? [] : placesIn(open.data, open.data.owner === did);
    const all = (policies.data ?? []).map(({ id, name, status }) => ({
      ...{ name, path: `/policies/${encodeURIComponent(id)}` },
      kind: consoleTexts.statuses[status] ?? status,
    }));
    const { nav } = consoleTexts;
    const screens = (['policies', 'requests', 'operator'] as const).map((screen) => ({
      ...{ name: nav[screen], kind: texts.screen, path: `/${screen}` },
    }));
    return [...within, ...all, ...screens];
  }, [policies.data, open.data, did]);
}

interface OpenPolicy {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/** A draft of one's own is edited where its blocks are found. */
function placesIn({ id, name, status, config }: OpenPolicy, isOwner: boolean): Place[] {
  const path = `/policies/${encodeURIComponent(id)}`;
  const tabs = policyTabs
    .filter(({ isFor }) => isFor({ isOwner, status }))
    .map((tab) => ({ name: tab.title, kind: name, path: `${path}/${tab.name}` }));
  const view = isOwner && status === 'DRAFT' ? 'edit' : 'live';
  const blocks = config === undefined ? [] : flat(blockNode(config));
  return [
    ...tabs,
    ...blocks
      .filter(({ tag }) => tag !== '')
      .map(({ tag, type, uuid }) => ({ name: tag, kind: type, path: `${path}/${view}/${uuid}` })),
  ];
}

const flat = (node: BlockNode): BlockNode[] => [node, ...node.children.flatMap(flat)];

/** Those with all words; those whose name begins so come first. */
function matching(places: readonly Place[], wanted: string): readonly Place[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const begins = ({ name }: Place): boolean => name.toLowerCase().startsWith(wanted.trim().toLowerCase());
  return places
    .filter(({ name, kind }) => words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)))
    .toSorted((a, b) => Number(begins(b)) - Number(begins(a)))
    .slice(0, MOST);
}
