/** Reads what to do when a run fails in a block (reference: `onErrorAction` and its companions). */
import { hintAt, meantBy } from '../../options/index.js';
import type { BlockSource } from '../../records/index.js';
import type { ErrorAction } from './policy-model.js';
import { quote } from './quote.js';

const actions = ['no-action', 'retry', 'goto-step', 'goto-tag'];

export const noAction: ErrorAction = Object.freeze({ action: 'no-action' });

type Report = (member: string, message: string, meant?: string) => void;

/** @param report called for a malformed member; the result is then `no-action`. */
export function errorAction(block: BlockSource, report: Report): ErrorAction {
  switch (block.onErrorAction) {
    case undefined:
    case '':
    case 'no-action':
    case 'debug': // written by newer editors for errors that are recorded only
      return noAction;
    case 'retry':
      return { action: 'retry', timeoutMs: wholeNumber('errorTimeout') ?? 0 };
    case 'goto-step': {
      const step = wholeNumber('errorFallbackStep');
      return step === undefined ? noAction : { action: 'goto-step', step };
    }
    case 'goto-tag': {
      const tag = block['errorFallbackTag'];
      if (typeof tag === 'string' && tag !== '') return { action: 'goto-tag', tag };
      report('errorFallbackTag', `is ${quote(tag)}, not the tag of a block`);
      return noAction;
    }
    default: {
      const meant = meantBy(block.onErrorAction, actions);
      const message = `is ${quote(block.onErrorAction)}, which is none of ${actions.join(', ')}${hintAt(meant)}`;
      report('onErrorAction', message, meant);
      return noAction;
    }
  }

  function wholeNumber(member: string): number | undefined {
    const written = block[member];
    const isNumber = typeof written === 'number' || (typeof written === 'string' && /^\d{1,9}$/.test(written));
    const number = isNumber ? Number(written) : NaN;
    if (Number.isSafeInteger(number) && number >= 0) return number;
    report(member, `is ${quote(written)}, not a whole number`);
    return undefined;
  }
}
