/** Requests between instances, incoming and outgoing. */
import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { MessageOutbox } from '../../background/index.js';
import {
  ApprovalService,
  AutoApproval,
  Connection,
  Envelopes,
  Expiry,
  givenPeers,
  Inbox,
  instanceIdentity,
  jwsSignatures,
  OutgoingMessages,
  OutgoingRequests,
  PeerQuota,
  Receiver,
  PeerStreams,
  Reconciliation,
  RefusedMessages,
  RequestArchive,
  RequestCloser,
  RequestedActions,
  RequestList,
  RequestWaiters,
  Resumption,
  StreamShares,
  TrustedPeers,
  SubmittedRequests,
} from '../../requests/index.js';
import type { RequestServices } from '../engine-deps.js';
import type { EngineOptions } from '../engine-options.js';
import { background, provide, serviceIds, take, type Resolver } from './service-ids.js';

/** Throws `OPTION_INVALID`. */
export function requestsModule(options: EngineOptions): ContainerModule {
  const identity = options.instance === undefined ? null : instanceIdentity(options.instance);
  const peers = givenPeers(options.peers);
  const shares = new StreamShares(options.streams);
  return new ContainerModule((module) => {
    const { bind } = module;
    bind(serviceIds.signatures).toConstantValue(jwsSignatures);
    bind(serviceIds.identity).toConstantValue(identity);
    bind(TrustedPeers).toDynamicValue((context) => new TrustedPeers(peers, take(context, 'store', 'executor')));
    bind(StreamShares).toConstantValue(shares);
    bind(serviceIds.trustedInstances).toConstantValue(new Set(options.trustedInstances));
    bind(serviceIds.signer).toConstantValue(options.sign ?? null);
    bind(serviceIds.archiveRequests).toConstantValue(options.archiveRequests ?? null);
    bind(serviceIds.approvalRule).toConstantValue(options.autoApprove ?? null);
    bindMessaging(module);
    bindIncoming(module);
    bindOutgoing(module);
    bind(serviceIds.requests).toDynamicValue(requestServices);
  });
}

function bindMessaging({ bind }: ContainerModuleLoadOptions): void {
  bind(serviceIds.envelopes).toDynamicValue(envelopes);
  bind(OutgoingMessages).toDynamicValue((context) => {
    const { clock, identity, envelopes } = take(context, 'clock', 'identity', 'envelopes');
    return new OutgoingMessages(clock, identity && envelopes && { identity, envelopes });
  });
  bind(MessageOutbox).toDynamicValue((context) => {
    const envelopes = context.get(serviceIds.envelopes);
    const deps = take(context, ...background, 'link', 'source');
    return new MessageOutbox({ ...deps, ...(envelopes && { seal: (...args) => envelopes.seal(...args) }) });
  });
  bind(RefusedMessages).toDynamicValue((context) => {
    return new RefusedMessages(take(context, 'store', 'executor', 'clock', 'timers', 'logger', 'inspections'));
  });
  bind(PeerStreams).toDynamicValue((context) => {
    const { streamShares: shares, ...deps } = take(context, 'streamShares', 'executor', 'clock', 'messages', 'limits');
    return new PeerStreams({ ...deps, shares, proofs: context.get(serviceIds.proofs) });
  });
  bind(serviceIds.connection).toDynamicValue(connection);
}

function bindIncoming({ bind }: ContainerModuleLoadOptions): void {
  bind(RequestedActions).toDynamicValue((context) => {
    const { policies, importer, workflow, signer } = take(context, 'policies', 'importer', 'workflow', 'signer');
    return new RequestedActions(policies, importer, workflow, signer);
  });
  provide(bind, RequestCloser, 'executor', 'clock', 'inspections', 'messages');
  provide(bind, PeerQuota, 'store', 'clock', 'limits');
  bind(Inbox).toDynamicValue((context) => {
    const { requestMs } = context.get(serviceIds.limits);
    const quota = context.get(serviceIds.peerQuota);
    const deps = take(context, 'executor', 'clock', 'closer', 'messages', 'actions', 'autoApproval');
    return new Inbox({ ...deps, quota, requestMs });
  });
  bind(SubmittedRequests).toDynamicValue((context) => {
    const { identity, limits, ...deps } = take(
      context,
      'identity',
      'limits',
      'inbox',
      'clock',
      'inspections',
      'trustedInstances',
    );
    return new SubmittedRequests({ ...deps, instanceId: identity?.id ?? 'here', requestMs: limits.requestMs });
  });
  bind(ApprovalService).toDynamicValue(
    (context) =>
      new ApprovalService(
        context.get(serviceIds.actions),
        take(context, 'store', 'executor', 'clock', 'closer', 'source'),
      ),
  );
  provide(bind, AutoApproval, ...background, 'approvalRule', 'approvals');
  bind(RequestList).toDynamicValue((context) => {
    const { store, clock, limits } = take(context, 'store', 'clock', 'limits');
    return new RequestList(store, clock, limits);
  });
}

function bindOutgoing({ bind }: ContainerModuleLoadOptions): void {
  bind(Resumption).toDynamicValue(
    (context) => new Resumption(context.get(serviceIds.workflow), context.get(serviceIds.signer)),
  );
  bind(OutgoingRequests).toDynamicValue((context) => {
    const { requestMs } = context.get(serviceIds.limits);
    const deps = {
      ...take(context, 'store', 'executor', 'clock', 'ids', 'inspections', 'peers', 'messages', 'resumption'),
      source: context.get(serviceIds.source),
    };
    return new OutgoingRequests({ ...deps, requestMs });
  });
  provide(bind, Expiry, ...background, 'closer', 'outgoing', 'limits');
  provide(bind, RequestArchive, ...background, 'executor', 'limits', 'archiveRequests');
  bind(serviceIds.reconciliation).toDynamicValue(reconciliation);
  provide(bind, RequestWaiters, 'store', 'timers');
}

function envelopes(context: Resolver): Envelopes | null {
  const { identity, limits } = take(context, 'identity', 'limits');
  if (identity === null) return null;
  const { messageCharacters } = limits;
  return new Envelopes(identity, { ...take(context, 'signatures', 'peers'), messageCharacters });
}

function connection(context: Resolver): Connection | null {
  const { identity, envelopes } = take(context, 'identity', 'envelopes');
  if (identity === null || envelopes === null) return null;
  const received = {
    ...take(context, 'executor', 'inspections', 'inbox', 'outgoing', 'messages', 'refused', 'store'),
    source: context.get(serviceIds.source),
    streams: context.get(serviceIds.peerStreams),
  };
  const receiver = new Receiver({ ...received, envelopes });
  return new Connection({ ...take(context, ...background, 'link'), receiver, instance: identity.id });
}

function reconciliation(context: Resolver): Reconciliation | null {
  if (context.get(serviceIds.identity) === null) return null;
  return new Reconciliation(take(context, ...background, 'link', 'outgoing'));
}

function requestServices(context: Resolver): RequestServices {
  const { autoApproval, expiry, messageOutbox } = take(context, 'autoApproval', 'expiry', 'messageOutbox');
  const { reconciliation, requestArchive } = take(context, 'reconciliation', 'requestArchive');
  return {
    ...take(context, 'approvals', 'outgoing', 'requestList', 'waiters', 'refused', 'vouched', 'peers'),
    idle: async () => {
      await autoApproval.idle();
      await expiry.idle();
      await requestArchive.idle();
      await reconciliation?.idle();
      await messageOutbox.idle();
    },
  };
}
