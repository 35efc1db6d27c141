/**
 * A context for the parent of a span. Each span needs one, so it is cheaper than the API's contexts, which copy a map.
 */
import { ROOT_CONTEXT, trace, type Context, type Span } from '@opentelemetry/api';

/** Adds one value to another context. */
class Layer implements Context {
  constructor(
    private readonly key: symbol,
    private readonly value: unknown,
    private readonly base: Context,
  ) {}

  getValue(key: symbol): unknown {
    return key === this.key ? this.value : this.base.getValue(key);
  }

  setValue(key: symbol, value: unknown): Context {
    return new Layer(key, value, this);
  }

  deleteValue(key: symbol): Context {
    return new Layer(key, undefined, this);
  }
}

const empty = new Layer(Symbol('nothing'), undefined, ROOT_CONTEXT);

/** A context that contains only the parent span. */
export const contextWith = (parent: Span): Context => trace.setSpan(empty, parent);
