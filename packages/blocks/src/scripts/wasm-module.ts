/** The WebAssembly module of sandboxes, loaded with the first script and shared by those that follow. */
import type { QuickJSWASMModule } from 'quickjs-emscripten';

interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

// Missing from the typings of the language.
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Memory: new (size: { initial: number; maximum: number }) => WasmMemory };
};

const PAGE = 64 * 1024;

/** Initial memory of the module, in bytes. */
const INITIAL = 16 * 1024 * 1024;

/** Lower limits are raised to this, so that a small script does not appear to have filled its memory. */
const LOWEST_LIMIT = 24 * 1024 * 1024;

const bytesFor = (limit: number): number => Math.max(limit, LOWEST_LIMIT);

interface SharedModule {
  readonly memory: WasmMemory;
  /** Bytes that the memory may grow to. */
  readonly limit: number;
  readonly module: Promise<QuickJSWASMModule>;
}

let shared: SharedModule | undefined;

/** Limits the memory of the module, because QuickJS's own limit does not count all allocations. */
async function load(memory: WasmMemory): Promise<QuickJSWASMModule> {
  const { newQuickJSWASMModule, newVariant, RELEASE_SYNC } = await import('quickjs-emscripten');
  return newQuickJSWASMModule(newVariant(RELEASE_SYNC, { wasmMemory: memory as never }));
}

export function sharedModule(limit: number): SharedModule {
  if (shared?.limit !== limit) {
    const memory = new WebAssembly.Memory({ initial: INITIAL / PAGE, maximum: Math.floor(bytesFor(limit) / PAGE) });
    shared = { memory, limit, module: load(memory) };
  }
  return shared;
}

/** The next sandbox gets a new module. */
export function dropModule(): void {
  shared = undefined;
}

/** Whether the memory has grown to its limit, or nearly so. */
export const isFull = ({ memory, limit }: SharedModule): boolean => memory.buffer.byteLength > bytesFor(limit) * 0.9;

export type { SharedModule };
