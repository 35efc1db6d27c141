/** The tabs of a policy in their order: what each is called, who sees it, and the page that is loaded when it is opened. */
import { canTransition } from '@blockwork/client';
import { lazy } from 'react';
import { texts } from '../texts.js';
import { FindingsTab } from './findings-tab.js';
import { PageTab } from './page-tab.js';
import type { PolicyTab, TabViewer } from './tab.js';

const everybody = (): boolean => true;
const owner = ({ isOwner }: TabViewer): boolean => isOwner;

const { tabs } = texts.policy;

/** Most specific to what people come for first. */
export const policyTabs: readonly PolicyTab[] = [
  { name: 'page', title: tabs.page, isFor: everybody, page: PageTab },
  {
    name: 'live',
    title: tabs.live,
    also: ['picture', 'way'],
    isFor: everybody,
    page: lazy(async () => import('./tree/live-tab.js')),
  },
  { name: 'edit', title: tabs.edit, isFor: owner, page: lazy(async () => import('../studio/edit-page.js')) },
  {
    name: 'schemas',
    title: tabs.schemas,
    isFor: owner,
    page: lazy(async () => import('../schemas/schemas-page.js')),
  },
  {
    name: 'changes',
    title: tabs.changes,
    isFor: ({ isOwner, status }) => isOwner && canTransition('publish', status),
    page: lazy(async () => import('../studio/publish/changes-page.js')),
  },
  {
    name: 'overview',
    title: tabs.overview,
    isFor: owner,
    page: lazy(async () => import('../studio/overview/overview-page.js')),
  },
  {
    name: 'documents',
    title: tabs.documents,
    isFor: everybody,
    page: lazy(async () => import('../documents/documents-tab.js')),
  },
  { name: 'tokens', title: tabs.tokens, isFor: everybody, page: lazy(async () => import('../ledger/tokens-tab.js')) },
  { name: 'timers', title: tabs.timers, isFor: everybody, page: lazy(async () => import('../ledger/timers-tab.js')) },
  { name: 'trial', title: tabs.trial, isFor: everybody, page: lazy(async () => import('../trial/trial-tab.js')) },
  {
    name: 'journal',
    title: tabs.journal,
    isFor: everybody,
    page: lazy(async () => import('../journal/journal-tab.js')),
  },
  { name: 'findings', title: tabs.findings, isFor: everybody, page: FindingsTab },
  {
    name: 'versions',
    title: tabs.versions,
    isFor: everybody,
    page: lazy(async () => import('../versions/versions-tab.js')),
  },
  { name: 'api', title: tabs.api, isFor: everybody, page: lazy(async () => import('../interface/api-tab.js')) },
];

/** The tab of a name in the address. */
export const tabNamed = (name: string): PolicyTab | undefined =>
  policyTabs.find((tab) => tab.name === name || tab.also?.includes(name));
