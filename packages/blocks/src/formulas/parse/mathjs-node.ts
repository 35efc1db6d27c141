/** The members of mathjs's syntax nodes that are read. Which of them a node has depends on its `type`. */
export interface MathjsNode {
  readonly type: string;
  readonly value: unknown;
  readonly name: string;
  readonly op: string;
  readonly fn: string | MathjsNode;
  readonly args: readonly MathjsNode[];
  readonly content: MathjsNode;
  readonly conditionals: readonly string[];
  readonly params: readonly MathjsNode[] | readonly string[];
  readonly condition: MathjsNode;
  readonly trueExpr: MathjsNode;
  readonly falseExpr: MathjsNode;
  readonly items: readonly MathjsNode[];
  readonly start: MathjsNode;
  readonly step: MathjsNode | null;
  readonly end: MathjsNode;
  readonly object: MathjsNode;
  readonly index: MathjsNode | null;
  readonly optionalChaining?: boolean;
  readonly dimensions: readonly MathjsNode[];
  readonly expr: MathjsNode;
  readonly blocks: readonly { readonly node: MathjsNode }[];
}
