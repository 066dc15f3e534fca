import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isFresh, stampOfSources } from './freshness.ts'
import { install } from './install.ts'
import { webRoot } from './paths.ts'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
const compressible = /\.(?:js|css|svg|json)$/

/** Where the built interface is. */
export const distOfWeb = join(webRoot, 'dist')

/** Builds the interface unless `dist` is up to date. Returns whether it built. */
export async function buildWeb(dist = distOfWeb): Promise<boolean> {
  if (await isFresh(dist)) return false
  const stamp = await stampOfSources()
  await mkdir(dist, { recursive: true })
  // Other processes and threads may build at the same time.
  const place = await mkdtemp(join(dist, 'building-'))
  try {
    await bundle(place)
    await compressAssets(join(place, 'assets'))
    await install(place, dist)
    await writeFile(join(dist, 'stamp'), stamp)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
  return true
}

/**
 * Vite takes the kind of a build from the environment: under a test runner it would ship the libraries as they are for development, which are twice as large.
 * So it runs in a thread with an environment of its own.
 */
function bundle(place: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('bundle.ts', import.meta.url), { workerData: place, env: { NODE_ENV: 'production' } })
    thread.once('error', reject)
    thread.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the build ended with code ${code}`))))
  })
}

/** The best compression: it takes seconds once, and every page is smaller for it. */
async function compressAssets(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => compressible.test(name))
  await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name))
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
      await writeFile(join(folder, `${name}.br`), await brotli(content, { params }))
      await writeFile(join(folder, `${name}.gz`), await gzipped(content, { level: 9 }))
    }),
  )
}
