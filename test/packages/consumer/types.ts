/** What the types of the packages promise each other, in a program that uses all of them. */
import { standardBlocks } from '@blockwork/blocks';
import { runCommandLine, type ExitCode, type Io } from '@blockwork/cli';
import { createClient, type Client } from '@blockwork/client';
import { contract, type AnswerOf, type Contract } from '@blockwork/contract';
import { createEngine, type Caller, type PolicyRecord } from '@blockwork/core';
import { paginationAddon, type BlockType } from '@blockwork/core/block';
import { explorePolicy, type Exploration } from '@blockwork/explorer';
import { PolicyInterface, resolveOptions } from '@blockwork/http';
import { createPolicyHandler, type PolicyHandler } from '@blockwork/http-fetch';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import { linkedData } from '@blockwork/linked-data';
import { openNatsLink, type NatsLinkOptions } from '@blockwork/link-nats';
import { startTelemetry } from '@blockwork/otel';
import { createSandbox, type Sandbox } from '@blockwork/sandbox';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { blockBench, documents, gridWith, policyBench } from '@blockwork/testing';

const secret = new Uint8Array(32);
const caller: Caller = { did: 'did:example:me', role: 'USER' };
export const list = async (): Promise<readonly PolicyRecord[]> =>
  (await createEngine({ store: await openLowdbStore({ folder: 'x' }) }).listPolicies(caller)).items;
export const server = () => createPolicyServer(createEngine({ blocks: standardBlocks() }), { auth: { secret } });
export const token: string = signDevelopmentToken(secret, caller);
export const bench = () => blockBench(paginationAddon(), { parent: gridWith(documents(3)) });
export const trial = () => policyBench({}).as('alice').read('grid');
export const explored: Promise<Exploration> = explorePolicy({}, { seed: 1 });
export const connected = async (options: NatsLinkOptions) => createEngine({ link: await openNatsLink(options) });
export const about = ({ type, title }: BlockType): string => `${type}: ${title}`;
export const handler: PolicyHandler = createPolicyHandler(createEngine(), { auth: { secret } });
export const policies = new PolicyInterface(createEngine(), resolveOptions({ auth: { secret } }));
export const client: Client = createClient({ url: 'http://localhost', fetch: handler });
export const sandbox: Sandbox = createSandbox({ secret });
export const signed = () => createEngine({ linkedData: linkedData(), proofs: 'Ed25519Signature2018' });
export const tried = () =>
  createPolicyServer(createEngine({ accounts: sandbox.accounts }), { auth: { secret }, sandbox });
export const tokens: Promise<string[]> = client.policy('p').tokens();
export const ids: AnswerOf<Contract['listTokens'], 200> = ['0.0.1'];
export const ended = (io: Io): Promise<ExitCode> => runCommandLine(['--version'], io);
export const watched: () => void = startTelemetry(createEngine(), { spans: ['send'] });
export const { path } = contract.listTokens;

// @ts-expect-error a caller has an identity
export const nobody: Caller = { role: 'USER' };
