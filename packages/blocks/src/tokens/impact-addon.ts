/** `impactAddon`: an impact of a mint beyond its tokens, as a credential (reference engine, section 7.30). */
import { defineBlock, documentsIn, isoNow, tolerant, type BlockType } from '@blockwork/core/block';
import { z } from 'zod';
import { fieldReferences, FormulaRunner, type FormulaBlockOptions } from '../formulas/index.js';
import { sumOf } from './amount-of.js';
import { asFindings, faultsIn, rule, ruleFaults } from './token-options.js';

const { listed, text } = tolerant;

const types = ['Primary Impacts', 'Secondary Impacts'];

const options = z.strictObject({
  impactType: listed(...types),
  label: text,
  description: text,
  /** Formula over the fields of a document's subject; summed over the documents. */
  amount: rule,
  unit: text,
});

const question = z.object({ documents: z.array(z.json()) });

export function impactAddon(settings: FormulaBlockOptions = {}): BlockType {
  const formulas = new FormulaRunner(settings, 'impactAddon');
  return defineBlock({
    type: 'impactAddon',
    title: 'Impact',
    description: 'Records an additional impact of the mint of its parent block.',
    kind: 'addon',
    parents: ['mintDocumentBlock'],
    options,
    references: ({ amount }) => fieldReferences(amount, '/amount'),

    check(node, { impactType, amount }) {
      const unknown = !types.includes(impactType);
      return asFindings(node, [
        ...faultsIn([[unknown, 'impactType', `it must be "${types.join('" or "')}"`]]),
        ...ruleFaults('amount', amount),
      ]);
    },

    /** Resolves with the credential, issued in the name of the policy's owner. */
    async assist(ctx, input) {
      const { impactType, label, description, unit } = ctx.options;
      const amount = await sumOf(formulas, ctx, ctx.options.amount, documentsIn(question.parse(input).documents));
      const descriptions = Object.entries({ label, description, unit }).filter(([, value]) => value !== '');
      return ctx.credentials.issue({
        issuer: ctx.policy.owner,
        subject: {
          type: 'ActivityImpact',
          impactType,
          ...Object.fromEntries(descriptions),
          amount,
          date: isoNow(ctx.clock),
        },
      });
    },
  });
}
