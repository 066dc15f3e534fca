import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { install } from './install.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'millrace-install-'))
})

afterEach(() => rm(root, { recursive: true, force: true }))

/** A built interface in a folder of its own. */
async function build(assets: readonly string[]): Promise<string> {
  const place = await mkdtemp(join(root, 'building-'))
  await mkdir(join(place, 'assets'))
  await Promise.all(
    [...assets.map((name) => join('assets', name)), 'manifest.json', 'index.html'].map((name) => writeFile(join(place, name), name)),
  )
  return place
}

test('processes that install the same build at once do not disturb each other', async () => {
  const dist = join(root, 'dist')
  const old = Array.from({ length: 300 }, (_, number) => `old-${number}.js`)
  await install(await build(old), dist)
  await install(await build(['previous.js']), dist)
  const places = await Promise.all(Array.from({ length: 4 }, () => build(['new.js'])))
  await Promise.all(places.map((place) => install(place, dist)))
  expect(await readdir(join(dist, 'assets'))).toContain('new.js')
  expect(await readdir(join(dist, 'assets'))).not.toContain('old-0.js')
})
