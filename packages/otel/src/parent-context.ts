/** A context with the span that is the parent. One is made for each span, so it costs less than those of the API, which copy a map. */
import { ROOT_CONTEXT, trace, type Context, type Span } from '@opentelemetry/api';

/** One value over those of another context. */
class Layer implements Context {
  constructor(
    private readonly key: symbol,
    private readonly value: unknown,
    private readonly below: Context,
  ) {}

  getValue(key: symbol): unknown {
    return key === this.key ? this.value : this.below.getValue(key);
  }

  setValue(key: symbol, value: unknown): Context {
    return new Layer(key, value, this);
  }

  deleteValue(key: symbol): Context {
    return new Layer(key, undefined, this);
  }
}

const ground = new Layer(Symbol('nothing'), undefined, ROOT_CONTEXT);

/** Of work whose parent is this span. It holds nothing else. */
export const contextWith = (parent: Span): Context => trace.setSpan(ground, parent);
