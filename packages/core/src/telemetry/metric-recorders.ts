/** What records the values of one metric, found by its labels. */

export type MetricLabels = Readonly<Record<string, string>>;

/** Records a value of one metric, under the labels that it is made for. */
export type MetricRecorder = (value: number) => void;

/** Of one metric. Types of blocks are named by programs, and could be any number. */
const LABELS_KEPT = 1_000;

type LabelValue = string | undefined;

/** The recorders of one metric by the first of the labels that are left. */
interface RecorderTree {
  readonly next: Map<LabelValue, RecorderTree>;
  record?: MetricRecorder;
}

/**
 * Labels are few, and made once: what is done for each operation is a part of what it costs to be watched. They are looked up one after the
 * other, since to join them to a key makes a string each time.
 */
export function recordersBy(
  names: readonly string[],
  make: (labels: MetricLabels) => MetricRecorder,
): (values: readonly LabelValue[]) => MetricRecorder {
  const root: RecorderTree = { next: new Map() };
  let kept = 0;
  const madeFor = (values: readonly LabelValue[]): MetricRecorder => {
    const pairs = names.flatMap((name, at) => (values[at] === undefined ? [] : [[name, values[at]] as const]));
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
  return (values) => {
    let tree: RecorderTree | undefined = root;
    for (const value of values) {
      tree = tree.next.get(value);
      if (tree === undefined) return madeFor(values);
    }
    return tree.record ?? madeFor(values);
  };
}
