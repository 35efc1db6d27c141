/** Options shared by token blocks: the token and the account. */
import { type BlockNode, finding, type Finding, type Reference, tolerant } from '@blockwork/core/block';
import { z } from 'zod';
import { formulaProblem } from '../formulas/index.js';

const { flag, text } = tolerant;

/** The token: a fixed one, or the one created from a template for the document. */
export const tokenChoice = {
  tokenId: text,
  useTemplate: flag,
  /** `templateTokenTag` of the template. */
  template: text,
};

/** The account: the document owner's, one named by the document, or a fixed one. */
export const accountChoice = {
  accountType: z
    .enum(['default', 'custom', 'custom-value', ''])
    .nullish()
    .transform((value) => (value === '' || value === null || value === undefined ? 'default' : value)),
  /** Name among the document's accounts; for `custom`. */
  accountId: text,
  /** The account itself; for `custom-value`. */
  accountIdValue: text,
};

/** A formula; policies write plain numbers as well. */
export const rule = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? '' : String(value)));

export interface TokenOptions {
  readonly tokenId: string;
  readonly useTemplate: boolean;
  readonly template: string;
}

export interface AccountOptions {
  readonly accountType: 'default' | 'custom' | 'custom-value';
  readonly accountId: string;
  readonly accountIdValue: string;
}

/** The token, or the template that it is made from. */
export const tokenReferences = ({ tokenId, useTemplate, template }: TokenOptions): Reference[] =>
  useTemplate
    ? [{ to: 'tokenTemplate', name: template, path: '/template' }]
    : [{ to: 'token', name: tokenId, path: '/tokenId' }];

export const accountForm = /^\d{1,19}\.\d{1,19}\.\d{1,19}$/;

/** Missing options. */
export function choiceFaults(options: TokenOptions & AccountOptions): OptionFault[] {
  return faultsIn([
    [
      options.useTemplate && options.template === '',
      'template',
      'it is missing. Name the template that the token is made from',
    ],
    [!options.useTemplate && options.tokenId === '', 'tokenId', 'it is missing. Name a token of the policy'],
    [
      options.accountType === 'custom' && options.accountId === '',
      'accountId',
      'it is missing. Name the account in the document',
    ],
    [
      options.accountType === 'custom-value' && !accountForm.test(options.accountIdValue),
      'accountIdValue',
      'it must be an account such as 0.0.1234',
    ],
  ]);
}

export interface OptionFault {
  readonly option: string;
  readonly reason: string;
}

/** Those whose condition holds. */
export const faultsIn = (rules: readonly (readonly [boolean, string, string])[]): OptionFault[] =>
  rules.flatMap(([wrong, option, reason]) => (wrong ? [{ option, reason }] : []));

export function ruleFaults(option: string, expression: string): OptionFault[] {
  if (expression === '')
    return [{ option, reason: 'it is missing. Write a formula that says how much, such as the name of a field' }];
  const problem = formulaProblem(expression);
  return problem === null ? [] : [{ option, reason: problem }];
}

export const asFindings = (node: BlockNode, faults: readonly OptionFault[]): Finding[] =>
  faults.map(({ option, reason }) =>
    finding(node, { message: `The option ${option} of "${node.tag}" cannot be used: ${reason}.`, path: `/${option}` }),
  );
