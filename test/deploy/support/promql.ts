/** What a PromQL expression refers to. */
import { parser } from '@prometheus-io/lezer-promql';

interface References {
  readonly metrics: readonly string[];
  /** Of matchers and of `by`. */
  readonly labels: readonly string[];
}

/** Throws where the expression is not PromQL. */
export function referencesOf(expression: string): References {
  const references = { metrics: new Set<string>(), labels: new Set<string>() };
  parser.parse(expression).iterate({
    enter: ({ name, type, from, to, node }) => {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`No PromQL at ${from}: ${expression}`);
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') references.metrics.add(text);
      if (name === 'LabelName') references.labels.add(text);
    },
  });
  return { metrics: [...references.metrics], labels: [...references.labels] };
}
