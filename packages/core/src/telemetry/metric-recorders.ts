/** What records the values of one metric, found by its labels. */

export type MetricLabels = Readonly<Record<string, string>>;

/** Records a value of one metric, under the labels that it is made for. */
export type MetricRecorder = (value: number) => void;

/** Of one metric. Types of blocks are named by programs, and could be any number. */
const LABELS_KEPT = 1_000;

/** As an operation has it; what is left out is no label. */
export type LabelValue = string | number | boolean | undefined;

/** One label of a metric, and where an operation has its value. */
export interface Label<Work> {
  readonly name: string;
  readonly of: (operation: Work) => LabelValue;
}

/** The recorders of one metric by the first of the labels that are left. */
interface RecorderTree {
  readonly next: Map<LabelValue, RecorderTree>;
  record?: MetricRecorder;
}

/**
 * Labels are few, and made once: what is done for each operation is a part of what it costs to be watched. Their values are looked up
 * as they are, one after the other: a list or a key of them would be made each time.
 */
export function recordersBy<Work>(
  labels: readonly Label<Work>[],
  make: (labels: MetricLabels) => MetricRecorder,
): (operation: Work) => MetricRecorder {
  const root: RecorderTree = { next: new Map() };
  let kept = 0;
  const madeFor = (operation: Work): MetricRecorder => {
    const values = labels.map(({ of }) => of(operation));
    const pairs = labels.flatMap(({ name }, at) =>
      values[at] === undefined ? [] : [[name, `${values[at]}`] as const],
    );
    const record = make(Object.freeze(Object.fromEntries(pairs)));
    if (kept === LABELS_KEPT) return record;
    kept += 1;
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
      if (tree === undefined) return madeFor(operation);
    }
    return tree.record ?? madeFor(operation);
  };
}
