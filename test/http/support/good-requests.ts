/** For every route of the contract a request that succeeds, from which the refused ones are made by one change. */
import { XLSX } from '@blockwork/contract/file-types';
import { presentationId, schemaIri, tokenId } from './definitions.js';
import type { PoliciesInEveryStatus } from './policies-in-every-status.js';
import type { EngineRouteName } from './routes.js';
import { readId, removedId } from './notifications.js';
import { policyArchive, publishedId, publishedSchemaId } from './policy-archive.js';
import { rowWorkbook, schemaWorkbook } from './schema-workbook.js';
import { keyHolder, type KeyHolder } from '@blockwork/testing';
import { canceledId, record, rejectedId, requestId } from './remote-request.js';
import { blockIds } from './trial-policy.js';
import { owner, peer, registrant } from './world.js';
import { removableWebhook, webhook, webhookUrl } from './webhooks.js';

export interface GoodRequest {
  readonly params: Readonly<Record<string, string>>;
  /** With its question mark. */
  readonly query?: string;
  readonly type?: string;
  readonly body?: string | Uint8Array;
}

const json = (body: unknown): { type: string; body: string } => ({
  type: 'application/json',
  body: JSON.stringify(body),
});

/** Devices of the owner. All but the new ones are registered before. */
const clock = { now: () => Date.UTC(2026, 2, 14, 9, 26, 53) };
const device = (name: string) => keyHolder(name, clock);
const [fresh, revoked, rotated, replacement] = [
  await device('fresh'),
  await device('revoked'),
  await device('rotated'),
  await device('replacement'),
];
const registration = (holder: KeyHolder) => holder.registration(owner.did);
const bodies = { fresh: await registration(fresh), replacement: await registration(replacement) };
/** What `engine.identities.register` takes for the devices that are registered before. */
export const knownDevices = [
  { registration: await registration(revoked) },
  { registration: await registration(rotated) },
];

const external = { owner: 'did:example:owner', document: { type: ['VerifiableCredential'] } };

export const goodRequests = (
  policyId: string,
  policies: PoliciesInEveryStatus,
): Readonly<Record<EngineRouteName, GoodRequest>> => ({
  listPolicies: { params: {} },
  importPolicyFile: { params: {}, type: 'application/zip', body: policyArchive() },
  importPublishedPolicy: { params: {}, ...json({ messageId: publishedId }) },
  getPolicy: { params: { policyId } },
  getPolicyOpenApi: { params: { policyId } },
  listTokens: { params: { policyId } },
  listGroups: { params: { policyId } },
  switchGroup: { params: { policyId }, ...json({ uuid: null }) },
  getNavigation: { params: { policyId } },
  createPolicy: { params: {}, ...json({ name: 'New' }) },
  listTemplates: { params: {} },
  listBlockTypes: { params: {} },
  checkDefinition: { params: {}, ...json({ name: 'Checked', config: { blockType: 'interfaceContainerBlock' } }) },
  getDefinition: { params: { policyId } },
  replaceDefinition: {
    params: { policyId: policies.edited },
    ...json({ name: 'Edited', config: { blockType: 'interfaceContainerBlock' } }),
  },
  editPolicy: {
    params: { policyId: policies.edited },
    ...json({ operations: [{ op: 'setText', name: 'description', value: 'Edited' }] }),
  },
  listEdits: { params: { policyId: policies.edited } },
  checkPolicy: {
    params: { policyId: policies.edited },
    ...json({ operations: [{ op: 'setText', name: 'description', value: 'Checked' }] }),
  },
  exportSchemas: { params: { policyId } },
  previewSchemas: { params: { policyId: policies.edited }, type: XLSX, body: schemaWorkbook() },
  importSchemas: { params: { policyId: policies.edited }, type: XLSX, body: schemaWorkbook() },
  importPublishedSchema: { params: { policyId: policies.edited }, ...json({ messageId: publishedSchemaId }) },
  replacePolicyFile: { params: { policyId: policies.replaced }, type: 'application/zip', body: policyArchive() },
  deletePolicy: { params: { policyId: policies.deleted } },
  dryRunPolicy: { params: { policyId: policies.draft } },
  draftPolicy: { params: { policyId: policies.tried } },
  publishPolicy: { params: { policyId: policies.unpublished }, ...json({ policyVersion: '1.0.0' }) },
  discontinuePolicy: { params: { policyId: policies.published }, ...json({}) },
  makeNextVersion: { params: { policyId: policies.succeeded } },
  listVersions: { params: { policyId } },
  listChanges: { params: { policyId }, query: `?since=${policies.published}` },
  getTrial: { params: { policyId: policies.recorded } },
  restartTrial: { params: { policyId: policies.running } },
  addTrialUser: { params: { policyId: policies.running }, ...json({}) },
  listSavepoints: { params: { policyId: policies.recorded } },
  makeSavepoint: { params: { policyId: policies.recorded }, ...json({ name: 'Now' }) },
  restoreSavepoint: { params: { policyId: policies.recorded, savepointId: policies.savepoint } },
  deleteSavepoint: { params: { policyId: policies.recorded, savepointId: policies.removableSavepoint } },
  startRecording: { params: { policyId: policies.running } },
  stopRecording: { params: { policyId: policies.recorded } },
  getScenario: { params: { policyId: policies.recorded } },
  listFindings: { params: { policyId } },
  listPendingWork: { params: { policyId }, query: '?pageSize=5' },
  listWaiting: { params: { policyId }, query: '?pageSize=5' },
  readJournal: { params: { policyId }, query: '?from=newest&cause=send&failed=false' },
  readJournalEntry: { params: { policyId, entryId: '000000000002' } },
  proveJournalEntry: { params: { policyId, entryId: '000000000002' } },
  readLog: { params: { policyId } },
  readLogCheckpoint: { params: { policyId } },
  proveLogContinues: { params: { policyId, logSize: '1' } },
  readLogTile: { params: { policyId, tile: '0/000.p/1' } },
  explainBlock: { params: { policyId, uuid: blockIds.waiting }, query: `?as=${encodeURIComponent(registrant.did)}` },
  explainDocument: {
    params: { policyId, uuid: blockIds.grid, documentId: 'doc-3' },
    query: `?as=${encodeURIComponent(owner.did)}`,
  },
  getOverview: { params: { policyId } },
  listDocuments: { params: { policyId }, query: '?schema=%23trial&from=newest&pageSize=5' },
  getDocument: { params: { policyId, documentId: 'doc-3' } },
  getTrustChain: { params: { policyId, documentId: 'doc-3' } },
  getDerivation: { params: { policyId, documentId: 'doc-3' } },
  getDocumentBundle: { params: { policyId, documentId: 'doc-3' } },
  getMintBundle: { params: { policyId, documentId: presentationId } },
  listSchemas: { params: { policyId } },
  getSchema: { params: { policyId, iri: schemaIri } },
  getToken: { params: { policyId, tokenId } },
  listBalances: { params: { policyId, tokenId } },
  listLedger: { params: { policyId }, query: '?type=mint' },
  compareLedger: { params: { policyId } },
  listTimers: { params: { policyId: policies.running } },
  runTimer: { params: { policyId: policies.running, tag: 'clock' } },
  policyEvents: { params: { policyId }, query: '?timeout=1' },
  events: { params: {}, query: `?policy=${policyId}&timeout=1` },
  sendExternalData: { params: {}, ...json({ ...external, policyTag: 'Trial' }) },
  sendExternalDataToBlock: { params: { policyId, tag: 'outside' }, ...json(external) },
  exportPolicyFile: { params: { policyId } },
  readRoot: { params: { policyId } },
  readBlock: { params: { policyId, uuid: blockIds.echo } },
  sendToBlock: { params: { policyId, uuid: blockIds.echo }, ...json({ hello: 1 }) },
  exportRows: { params: { policyId, uuid: blockIds.grid } },
  exportRowsAsCsv: { params: { policyId, uuid: blockIds.grid } },
  getRowTemplate: { params: { policyId, uuid: blockIds.form } },
  checkRows: { params: { policyId, uuid: blockIds.form }, type: XLSX, body: rowWorkbook() },
  getBlockId: { params: { policyId, tag: 'echo' } },
  readBlockByTag: { params: { policyId, tag: 'echo' } },
  sendToBlockByTag: { params: { policyId, tag: 'echo' }, ...json({ hello: 1 }) },
  listKeys: { params: {} },
  registerKey: { params: {}, ...json({ registration: bodies.fresh, name: 'Meter' }) },
  revokeKey: { params: { key: revoked.key } },
  rotateKey: { params: { key: rotated.key }, ...json({ registration: bodies.replacement }) },
  listRevokedTokens: { params: {} },
  revokeToken: { params: {}, ...json({ jti: 'stolen', exp: 4_102_444_800, reason: 'stolen' }) },
  getIdentityDocument: { params: { did: fresh.did } },
  offerPolicy: { params: { policyId: policies.published }, ...json({ to: peer, view: true }) },
  listRequests: { params: {} },
  countRequests: { params: {} },
  refusedMessages: { params: {} },
  getRequest: { params: { messageId: requestId } },
  approveRequest: { params: { messageId: requestId }, ...json(record) },
  rejectRequest: { params: { messageId: rejectedId }, ...json({ reason: 'no' }) },
  cancelRequest: { params: { messageId: canceledId } },
  listNotifications: { params: {} },
  readNotification: { params: { notificationId: readId } },
  readAllNotifications: { params: {} },
  removeNotification: { params: { notificationId: removedId } },
  listWebhooks: { params: { policyId } },
  registerWebhook: { params: { policyId }, ...json({ url: webhookUrl }) },
  removeWebhook: { params: { policyId, webhookId: removableWebhook } },
  listDeadLetters: { params: { policyId, webhookId: webhook } },
  resendWebhook: { params: { policyId, webhookId: webhook } },
  listNodes: { params: {} },
  getOperation: { params: {} },
  listOutbox: { params: {}, query: '?pageSize=5' },
  listWitnesses: { params: {}, query: '?pageSize=5' },
  listStuckWork: { params: {} },
  listSlowUnits: { params: {} },
  getLedger: { params: {} },
  resumeLedger: { params: {}, ...json({ allowance: '1.5' }) },
  listLogLines: { params: {}, query: '?requestId=abc&level=warn&pageSize=5' },
});
