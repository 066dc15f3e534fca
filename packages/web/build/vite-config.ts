import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { chunkGroups } from './chunks.ts'
import { operationsPlugin } from './operations-plugin.ts'
import { webRoot } from './paths.ts'
import { spritePlugin } from './sprite-plugin.ts'

/** Browsers that know `light-dark()`, so that styles are not rewritten for older ones. */
const browsers = ['chrome123', 'firefox121', 'safari17.5']

export function viteConfig(outDir: string): InlineConfig {
  return {
    root: webRoot,
    configFile: false,
    logLevel: 'warn',
    mode: 'production',
    plugins: [react(), operationsPlugin(), spritePlugin()],
    // Workers load their parts as modules, which they share.
    worker: {
      format: 'es',
      rolldownOptions: { output: { entryFileNames: 'assets/worker-[name]-[hash].js', chunkFileNames: 'assets/worker-[name]-[hash].js' } },
    },
    build: {
      outDir,
      emptyOutDir: true,
      // What each page loads, for page-sizes.ts.
      manifest: 'manifest.json',
      target: browsers,
      cssTarget: browsers,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1500,
      rolldownOptions: { output: { codeSplitting: { groups: chunkGroups(), includeDependenciesRecursively: false } } },
    },
  }
}
