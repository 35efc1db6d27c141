/** The WebAssembly module of sandboxes, loaded with the first script and shared by those that follow. */
import type { QuickJSSyncVariant, QuickJSWASMModule } from 'quickjs-emscripten-core';

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

interface Variant {
  readonly default: QuickJSSyncVariant;
}

interface SharedModule {
  readonly memory: WasmMemory;
  /** Bytes that the memory may grow to. */
  readonly limit: number;
  readonly module: Promise<QuickJSWASMModule>;
}

let shared: SharedModule | undefined;

/** Limits the memory of the module, because QuickJS's own limit does not count all allocations. */
async function load(memory: WasmMemory): Promise<QuickJSWASMModule> {
  const { newQuickJSWASMModuleFromVariant, newVariant } = await import('quickjs-emscripten-core');
  // Its typings are those of the CommonJS module.
  const { default: release } = (await import('@jitl/quickjs-wasmfile-release-sync')) as unknown as Variant;
  return newQuickJSWASMModuleFromVariant(newVariant(release, { wasmMemory: memory as never }));
}

export function sharedModule(limit: number): SharedModule {
  if (shared?.limit !== limit) {
    const memory = new WebAssembly.Memory({ initial: INITIAL / PAGE, maximum: Math.floor(bytesFor(limit) / PAGE) });
    const loaded = { memory, limit, module: load(memory) };
    // The next script tries once more.
    loaded.module.catch(() => {
      if (shared === loaded) dropModule();
    });
    shared = loaded;
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
