/** The WebAssembly module that sandboxes are made in: loaded with the first script, shared by all that follow. */
import type { QuickJSWASMModule } from 'quickjs-emscripten';

interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

// Node has it; the typings of the language alone do not.
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Memory: new (size: { initial: number; maximum: number }) => WasmMemory };
};

const PAGE = 64 * 1024;

/** What the module has from the start, in bytes. */
const INITIAL = 16 * 1024 * 1024;

/** No limit is lower, so that a script can be told from one that has used up its memory. */
const LOWEST_LIMIT = 24 * 1024 * 1024;

const bytesFor = (limit: number): number => Math.max(limit, LOWEST_LIMIT);

interface SharedModule {
  readonly memory: WasmMemory;
  /** The most bytes that the memory may grow to. */
  readonly limit: number;
  readonly module: Promise<QuickJSWASMModule>;
}

let shared: SharedModule | undefined;

/** The engine's own limit of memory does not count what it should, so the memory of the module itself is bounded. */
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

/** Whether the memory has grown as far as it may, or nearly so. */
export const isFull = ({ memory, limit }: SharedModule): boolean => memory.buffer.byteLength > bytesFor(limit) * 0.9;

export type { SharedModule };
