import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Replaces the built interface in `dist` by the one in `place`: the page last, and the assets of the build before stay for tabs that are still open.
 * Other processes may do the same at the same time, so an old asset may be gone before it is removed here.
 */
export async function install(place: string, dist: string): Promise<void> {
  const assets = join(dist, 'assets')
  const now = await readdir(join(place, 'assets'))
  const before: unknown = await readFile(join(dist, 'assets.json'), 'utf8').then(JSON.parse, () => [])
  await mkdir(assets, { recursive: true })
  for (const name of now) await rename(join(place, 'assets', name), join(assets, name))
  await writeFile(join(dist, 'assets.json'), JSON.stringify(now))
  await rename(join(place, 'manifest.json'), join(dist, 'manifest.json'))
  await rename(join(place, 'index.html'), join(dist, 'index.html'))
  const kept = new Set<unknown>([...now, ...(Array.isArray(before) ? before : [])])
  for (const name of await readdir(assets)) if (!kept.has(name)) await rm(join(assets, name), { force: true })
}
