/** `impactAddon`: what a mint brings about besides its tokens, as a credential (reference engine, section 7.30). */
import {
  isoNow,
  type Block,
  type BlockNode,
  type Finding,
  type Json,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { documentsIn } from '../common/event-documents.js';
import { text } from '../common/option-schemas.js';
import { sumOf } from './amount-of.js';
import { asFindings, blockFindings, ruleFaults } from './token-findings.js';
import { rule } from './token-options.js';

const options = z.object({
  impactType: text,
  label: text,
  description: text,
  /** Formula over the fields of a document's subject; summed over the documents. */
  amount: rule,
  unit: text,
});
type Options = z.infer<typeof options>;

const question = z.object({ documents: z.array(z.json()) });

const types = ['Primary Impacts', 'Secondary Impacts'];

export class ImpactAddon implements Block<Options> {
  readonly about = {
    type: 'impactAddon',
    title: 'Impact',
    description: 'States an impact beside the tokens that its parent mints.',
    kind: 'addon',
    children: 'none',
    parents: ['mintDocumentBlock'],
  } as const;
  readonly options = options;

  check(node: BlockNode, { impactType, amount }: Options): Finding[] {
    const unknown = !types.includes(impactType);
    return asFindings(node, [
      ...blockFindings([[unknown, 'impactType', `it must be "${types.join('" or "')}"`]]),
      ...ruleFaults('amount', amount),
    ]);
  }

  /** Resolves with the credential, issued in the name of the policy's owner. */
  assist(ctx: RunContext<Options>, input: Json): Promise<JsonObject> {
    const { impactType, label, description, unit } = ctx.options;
    const amount = sumOf(ctx, ctx.options.amount, documentsIn(question.parse(input).documents));
    const said = Object.entries({ label, description, unit }).filter(([, value]) => value !== '');
    return ctx.credentials.issue({
      issuer: ctx.policy.owner,
      subject: { type: 'ActivityImpact', impactType, ...Object.fromEntries(said), amount, date: isoNow(ctx.clock) },
    });
  }
}
