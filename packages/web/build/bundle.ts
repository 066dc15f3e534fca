import { workerData } from 'node:worker_threads'
import { build } from 'vite'
import { viteConfig } from './vite-config.ts'

// A thread of `buildWeb`: bundles the interface into a folder.
await build(viteConfig(String(workerData)))
