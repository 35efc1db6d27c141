/** What stands around a part of a program on the pages: the names that it takes for granted. */
import type { KeyObject } from 'node:crypto';
import type { Io } from '@blockwork/cli';
import type { Client } from '@blockwork/client';
import type { Caller, EngineOptions, PolicyEngine, PolicyStore } from '@blockwork/core';
import type { HttpRequest, InterfaceOptions } from '@blockwork/http';
import type { ServerOptions, TokenOptions } from '@blockwork/http-koa';
import type Koa from 'koa';

type Core = typeof import('@blockwork/core');
type CoreBlock = typeof import('@blockwork/core/block');
type HttpKoa = typeof import('@blockwork/http-koa');
type Testing = typeof import('@blockwork/testing');

declare global {
  const engine: PolicyEngine;
  const client: Client;
  const caller: Caller;
  const owner: Caller;
  const registry: Caller;
  const auditor: Caller;
  const alice: Caller;
  const policyId: string;
  const documentId: string;
  const did: string;
  const token: string;
  const file: string;
  const bytesOfAPolicyFile: Uint8Array;
  const policy: object;
  const reading: (n: number) => { readonly owner: string; readonly document: { readonly site: string } };

  let lastId: string;
  const signal: AbortSignal;
  const refresh: (tags: readonly string[]) => Promise<void>;
  const refreshPolicy: () => Promise<void>;
  const refreshEverything: () => Promise<void>;

  const app: Koa;
  const auth: NonNullable<ServerOptions['auth']>;
  const secret: KeyObject;
  const jwks: NonNullable<TokenOptions['jwks']>;
  const newer: NonNullable<TokenOptions['jwks']>;
  const { link, instance, peers }: Required<Pick<EngineOptions, 'link' | 'instance' | 'peers'>>;
  const southPublicKey: NonNullable<NonNullable<Parameters<Core['createEngine']>[0]>['peers']>[number]['key'];
  const session: { readonly token: string };
  const sessions: { find(cookie: string | undefined): Promise<{ did: string; role: string } | undefined> };
  const request: HttpRequest;
  const options: InterfaceOptions;
  const io: Io;

  const emptyFolder: () => string;
  const MyStore: { open(folder: string): Promise<PolicyStore> };

  const { readFile }: typeof import('node:fs/promises');
  const { expect }: typeof import('vitest');
  const { z }: typeof import('zod');
  const { consoleAssets }: typeof import('@blockwork/console');
  const { createClient }: typeof import('@blockwork/client');
  const { createEngine }: Core;
  const { defineBlock, finding, paginationAddon }: CoreBlock;
  const { createPolicyHandler }: typeof import('@blockwork/http-fetch');
  const { AuthenticationError, createPolicyRouter, createPolicyServer }: HttpKoa;
  const { blockBench, documents, gridWith, policyBench }: Testing;
}
