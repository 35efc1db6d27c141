/** The sandbox: a JavaScript engine of its own, in WebAssembly, with nothing of the host in it. */
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, VmCallResult } from 'quickjs-emscripten';
import type { ScriptLimits } from './limits.js';
import { ScriptError } from './script-error.js';
import type { SourceText } from './source-text.js';
import { dropModule, isFull, sharedModule } from './wasm-module.js';

const FILE = 'script.js';

/** What WebAssembly throws; its class has no name in the typings of the language alone. */
const isTrap = (error: unknown): error is Error => error instanceof Error && error.name === 'RuntimeError';

/**
 * Works in a fresh sandbox, which is thrown away afterwards; so is its module where the script has filled its memory, or
 * brought it down, which very deep nesting can.
 */
export async function inSandbox<T>(limits: ScriptLimits, work: (sandbox: Sandbox) => T): Promise<T> {
  const shared = sharedModule(limits.memory);
  const module = await shared.module;
  const runtime = module.newRuntime();
  const context = runtime.newContext();
  let sound = false;
  try {
    const result = work(new Sandbox(runtime, context, limits, () => isFull(shared)));
    sound = true;
    return result;
  } catch (error) {
    sound = error instanceof ScriptError;
    if (error instanceof RangeError) throw new ScriptError('The script needs more stack than it may have');
    if (isTrap(error)) throw new ScriptError(`The script failed: ${error.message}`);
    throw error;
  } finally {
    if (!sound || isFull(shared) || !disposed(context, runtime)) dropModule();
  }
}

/** `false` where the module did not survive it. */
function disposed(context: QuickJSContext, runtime: QuickJSRuntime): boolean {
  try {
    context.dispose();
    runtime.dispose();
    return true;
  } catch (error) {
    if (isTrap(error)) return false;
    throw error;
  }
}

export class Sandbox {
  private readonly deadline: number;

  constructor(
    private readonly runtime: QuickJSRuntime,
    private readonly context: QuickJSContext,
    private readonly limits: ScriptLimits,
    private readonly isFull: () => boolean,
  ) {
    this.deadline = performance.now() + limits.milliseconds;
    runtime.setMaxStackSize(limits.stack);
    runtime.setInterruptHandler(() => this.isLate());
  }

  private isLate(): boolean {
    return performance.now() > this.deadline;
  }

  /** The value of an expression. The handle must be disposed. */
  evaluate(code: string, source?: SourceText): QuickJSHandle {
    const file = source === undefined ? 'prelude.js' : FILE;
    return this.taken(this.context.evalCode(code, file, { type: 'global' }), source);
  }

  /** A function of the host: text in, text out; what it throws is an error in the sandbox. */
  hostFunction(name: string, apply: (...texts: string[]) => string): QuickJSHandle {
    return this.context.newFunction(name, (...handles) => {
      const result = apply(...handles.map((handle) => this.context.getString(handle)));
      return this.context.newString(result);
    });
  }

  text(value: string): QuickJSHandle {
    return this.context.newString(value);
  }

  call(target: QuickJSHandle, args: readonly QuickJSHandle[], source?: SourceText): QuickJSHandle {
    return this.taken(this.context.callFunction(target, this.context.undefined, ...args), source);
  }

  /** Lets everything run that the script has put off with promises. */
  settle(source: SourceText): void {
    while (this.runtime.hasPendingJob()) {
      const result = this.runtime.executePendingJobs(100);
      if (result.error) throw this.failure(result.error, source);
      if (this.isLate()) throw this.late();
    }
  }

  private taken(result: VmCallResult<QuickJSHandle>, source: SourceText | undefined): QuickJSHandle {
    if (result.error) throw this.failure(result.error, source);
    return result.value;
  }

  private late(): ScriptError {
    return new ScriptError(`The script took longer than ${String(this.limits.milliseconds)} ms`);
  }

  private failure(handle: QuickJSHandle, source: SourceText | undefined): ScriptError {
    if (this.isLate()) {
      handle.dispose();
      return this.late();
    }
    const error: unknown = handle.consume((value) => this.context.dump(value) as unknown);
    const { name, message, stack } = (typeof error === 'object' && error !== null ? error : {}) as Record<
      string,
      unknown
    >;
    const said = typeof message === 'string' ? `${String(name)}: ${message}` : `It threw ${JSON.stringify(error)}`;
    const reason = this.isFull()
      ? `The script needs more memory than ${String(this.limits.memory)} bytes`
      : `The script failed with ${said.slice(0, 500)}`;
    for (const [, line, column] of String(stack).matchAll(/script\.js:(\d+)(?::(\d+))?/g)) {
      const place = source?.placeOf(Number(line), Number(column ?? 1));
      if (place) return new ScriptError(reason, place.line, column === undefined ? null : place.column);
    }
    return new ScriptError(reason);
  }
}
