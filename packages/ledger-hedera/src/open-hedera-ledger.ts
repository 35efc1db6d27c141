/** Opens the ledger: neither node nor mirror needs to answer yet. */
import { HederaLedger } from './hedera-ledger.js';
import { GrpcCalls } from './network/grpc.js';
import { openHistory } from './network/history.js';
import { openMirror } from './network/mirror.js';
import { mirrorRest } from './network/mirror-rest.js';
import { openNodes, type Nodes } from './network/nodes.js';
import { NotYet } from './transactions/not-yet.js';
import { resolveOptions, type HederaLedgerOptions } from './options.js';

/** How long a send waits for the mirror, in milliseconds; without an answer, it goes on. */
const CHECK_MS = 2000;

/**
 * A ledger for `createEngine`, which closes it. Throws `OPTION_INVALID`. While nodes or mirror cannot be reached, policies
 * go on and effects wait in the engine's outbox.
 */
export function openHederaLedger(options: HederaLedgerOptions): HederaLedger {
  const resolved = resolveOptions(options);
  const { answerMs } = resolved;
  const closing = new AbortController();
  const request: typeof fetch = (url, init) =>
    fetch(url, { ...init, signal: AbortSignal.any([closing.signal, ...(init?.signal ? [init.signal] : [])]) });
  const ask = mirrorRest(resolved.mirror, answerMs, request);
  const mirror = openMirror(ask);
  const accounts = openMirror(mirrorRest(resolved.mirror, Math.min(answerMs, CHECK_MS), request));
  let opened: Promise<Nodes> | undefined;
  const open = async (): Promise<Nodes> => {
    closing.signal.throwIfAborted();
    return openNodes(resolved.nodes ?? (await mirror.nodes()), answerMs, new GrpcCalls());
  };
  const nodes = (): Promise<Nodes> => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  /** Whatever is asked at the time rejects: a silent mirror would hold up the end of the process. */
  const close = async (): Promise<void> => {
    closing.abort(new NotYet('The ledger was closed meanwhile.'));
    await (await opened?.catch(() => undefined))?.close();
  };
  return new HederaLedger(resolved, { mirror, accounts, nodes, history: openHistory(ask), close });
}
