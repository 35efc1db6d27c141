/** The recorders of one metric, looked up by labels. */

export type MetricLabels = Readonly<Record<string, string>>;

/** Records a value of one metric, under fixed labels. */
export type MetricRecorder = (value: number) => void;

/** Limit for one metric. Block types are named by programs, and could be any number. */
const LABELS_AT_MOST = 1_000;

/** As an operation provides it; an omitted value is no label. */
export type LabelValue = string | number | boolean | undefined;

/** One label of a metric, and how to read its value from an operation. */
export interface Label<Work> {
  readonly name: string;
  readonly of: (operation: Work) => LabelValue;
}

/** The recorders of one metric, by the first of the remaining labels. */
interface RecorderTree {
  readonly next: Map<LabelValue, RecorderTree>;
  record?: MetricRecorder;
}

/**
 * Labels are few and created once, since this lookup is part of the cost of observing each operation. Values are looked
 * up one by one: a list or composite key would be allocated each time.
 */
export function recordersBy<Work>(
  labels: readonly Label<Work>[],
  make: (labels: MetricLabels) => MetricRecorder,
): (operation: Work) => MetricRecorder {
  const root: RecorderTree = { next: new Map() };
  let seriesCount = 0;
  const recorderFor = (operation: Work): MetricRecorder => {
    const values = labels.map(({ of }) => of(operation));
    const pairs = labels.flatMap(({ name }, at) =>
      values[at] === undefined ? [] : [[name, `${values[at]}`] as const],
    );
    const record = make(Object.freeze(Object.fromEntries(pairs)));
    if (seriesCount === LABELS_AT_MOST) return record;
    seriesCount += 1;
    let tree = root;
    for (const value of values) {
      const next = tree.next.get(value) ?? { next: new Map<LabelValue, RecorderTree>() };
      tree.next.set(value, next);
      tree = next;
    }
    tree.record = record;
    return record;
  };
  return (operation) => {
    let tree: RecorderTree | undefined = root;
    for (const { of } of labels) {
      tree = tree.next.get(of(operation));
      if (tree === undefined) return recorderFor(operation);
    }
    return tree.record ?? recorderFor(operation);
  };
}
