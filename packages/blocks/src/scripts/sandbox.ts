/** The sandbox: a separate JavaScript engine in WebAssembly that cannot reach the host. */
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, VmCallResult } from 'quickjs-emscripten-core';
import type { ScriptLimits } from './limits.js';
import { ScriptError } from './script-error.js';
import type { SourceText } from './source-text.js';
import { dropModule, isFull, sharedModule } from './wasm-module.js';

const FILE = 'script.js';

/** A trap of WebAssembly. Its class is missing from the typings of the language. */
const isTrap = (error: unknown): error is Error => error instanceof Error && error.name === 'RuntimeError';

/**
 * Calls `work` with a fresh sandbox, which is disposed of afterwards. Its module is dropped as well if the script has
 * filled the memory or crashed it, which very deep nesting can do.
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
    if (error instanceof RangeError) throw new ScriptError('The script exceeds its limit of stack');
    if (isTrap(error)) throw new ScriptError(`The script failed: ${error.message}`);
    throw error;
  } finally {
    if (!sound || isFull(shared) || !disposed(context, runtime)) dropModule();
  }
}

/** `false` if the module has crashed. */
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
    return this.unwrapped(this.context.evalCode(code, file, { type: 'global' }), source);
  }

  /** A function of the host from texts to a text. Its exceptions become errors in the sandbox. */
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
    return this.unwrapped(this.context.callFunction(target, this.context.undefined, ...args), source);
  }

  /** Runs all pending jobs of promises. */
  settle(source: SourceText): void {
    while (this.runtime.hasPendingJob()) {
      const result = this.runtime.executePendingJobs(100);
      if (result.error) throw this.failure(result.error, source);
      if (this.isLate()) throw this.late();
    }
  }

  private unwrapped(result: VmCallResult<QuickJSHandle>, source: SourceText | undefined): QuickJSHandle {
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
    const thrown = typeof message === 'string' ? `${String(name)}: ${message}` : `It threw ${JSON.stringify(error)}`;
    const reason = this.isFull()
      ? `The script needs more memory than ${String(this.limits.memory)} bytes`
      : `The script failed with ${thrown.slice(0, 500)}`;
    for (const [, line, column] of String(stack).matchAll(/script\.js:(\d+)(?::(\d+))?/g)) {
      const place = source?.placeOf(Number(line), Number(column ?? 1));
      if (place) return new ScriptError(reason, place.line, column === undefined ? null : place.column);
    }
    return new ScriptError(reason);
  }
}
