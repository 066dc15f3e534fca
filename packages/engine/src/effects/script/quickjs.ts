import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { QuickJSSyncVariant } from 'quickjs-emscripten-core'
import variant from '@jitl/quickjs-wasmfile-release-sync'

declare global {
  // The part that is used of https://webassembly.github.io/spec/js-api/; TypeScript has the types for browsers alone.
  namespace WebAssembly {
    interface Module {
      readonly [Symbol.toStringTag]: string
    }
    interface Memory {
      readonly buffer: ArrayBuffer
    }
    const Memory: new (descriptor: { readonly initial: number; readonly maximum: number }) => Memory
    function compile(bytes: Uint8Array): Promise<Module>
  }
}

/** The build of QuickJS that is used. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The package declares its CommonJS form, where the variant is a property of the default export.
export const quickjs = variant as unknown as QuickJSSyncVariant

/** Its code, compiled; once for all workers. */
export async function compileQuickjs(): Promise<WebAssembly.Module> {
  const path = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
  return WebAssembly.compile(await readFile(path))
}
